// The DOM around the canvas. All text goes in as text, never as HTML: it may come from a link.

mergeInto(LibraryManager.library, {
    mm_js_watch_page__deps: ['$mm'],
    mm_js_watch_page: function () {
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', function (event) {
            _mm_on_theme(event.matches ? 1 : 0);
        });
    },

    mm_js_is_mac__deps: ['$mm'],
    mm_js_is_mac: function () {
        return mm.isMac ? 1 : 0;
    },

    mm_js_prefers_dark: function () {
        return matchMedia('(prefers-color-scheme: dark)').matches ? 1 : 0;
    },

    mm_js_read_language__deps: ['$mm'],
    mm_js_read_language: function () {
        mm.send(navigator.language || 'en');
    },

    mm_js_set_page_theme: function (dark) {
        document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    },

    mm_js_set_page_language__deps: ['$mm'],
    mm_js_set_page_language: function (pointer, length) {
        window.megamem.speak(mm.text(pointer, length));
    },

    mm_js_set_title__deps: ['$mm'],
    mm_js_set_title: function (pointer, length) {
        document.title = mm.text(pointer, length);
    },

    // Storage throws where it is switched off, full, or the page comes from a file.
    mm_js_stored__deps: ['$mm'],
    mm_js_stored: function (pointer, length) {
        var value = null;
        try {
            value = localStorage.getItem('megamem.' + mm.text(pointer, length));
        } catch (unavailable) {}
        mm.send(value || '');
    },

    mm_js_store__deps: ['$mm'],
    mm_js_store: function (key, keyLength, value, valueLength) {
        var name = 'megamem.' + mm.text(key, keyLength);
        try {
            if (valueLength === 0) {
                localStorage.removeItem(name);
            } else {
                localStorage.setItem(name, mm.text(value, valueLength));
            }
        } catch (unavailable) {}
    },

    mm_js_ready: function () {
        window.megamem.ready();
    },

    mm_js_fail__deps: ['$mm'],
    mm_js_fail: function (pointer, length) {
        window.megamem.fail(mm.text(pointer, length));
    },
});
