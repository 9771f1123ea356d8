// location.hash. Only `hashchange` is listened to: Back and an edited address fire it, replaceState and
// pushState do not.

mergeInto(LibraryManager.library, {
    mm_js_watch_link__deps: ['$mm', '$mmLink'],
    mm_js_watch_link: function () {
        mmLink.known = mmLink.read();
        window.addEventListener('hashchange', function () {
            var hash = mmLink.read();
            if (hash === mmLink.known) return;
            mmLink.known = hash;
            mm.send(hash);
            _mm_on_hash();
        });
    },

    $mmLink: {
        known: '', // as read back after the last change, since the browser encodes some characters

        read: function () {
            return window.location.hash.slice(1);
        },
    },

    mm_js_read_hash__deps: ['$mm', '$mmLink'],
    mm_js_read_hash: function () {
        mm.send(mmLink.read());
    },

    mm_js_read_address__deps: ['$mm'],
    mm_js_read_address: function () {
        mm.send(window.location.href);
    },

    mm_js_write_hash__deps: ['$mm', '$mmLink'],
    mm_js_write_hash: function (pointer, length, push) {
        var hash = mm.text(pointer, length);
        if (hash === mmLink.read()) return;
        var url = hash ? '#' + hash : window.location.pathname + window.location.search;
        try {
            if (push) {
                history.pushState(null, '', url);
            } else {
                history.replaceState(null, '', url);
            }
        } catch (tooOften) {
            // Browsers limit the rate. The next change writes again; until then the address is behind.
        }
        mmLink.known = mmLink.read();
    },
});
