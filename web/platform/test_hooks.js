// window.megamem.items(), frames() and idle(): see test_hooks.cpp.

mergeInto(LibraryManager.library, {
    mm_js_is_test: function () {
        return window.megamem.test ? 1 : 0;
    },

    mm_js_expose_tests__deps: ['$mm'],
    mm_js_expose_tests: function () {
        window.megamem.frames = function () { return _mm_on_frames_asked(); };
        window.megamem.idle = function () { return _mm_on_idle_asked() !== 0; };

        var read = function (pointer) {
            return mm.text(pointer, HEAPU8.indexOf(0, pointer) - pointer);
        };
        window.megamem.translated = function (text) {
            mm.send(text);
            return read(_mm_on_translation_asked());
        };
        // Texts that were to be drawn in a language that doesn't have them.
        window.megamem.untranslated = function () {
            return read(_mm_on_untranslated_asked()).split('\x1f').slice(0, -1);
        };

        // [{label, id, window, status, x, y, w, h}], in CSS pixels of the page, of the last frame.
        window.megamem.items = function () {
            if (!window.megamem.test) return [];
            var text = read(_mm_on_items_asked());
            var box = mm.canvas.getBoundingClientRect();
            var ratio = 1000 * mm.canvas.width / box.width;
            return text.split('\x1e').slice(0, -1).map(function (row) {
                var cells = row.split('\x1f');
                var edge = cells.slice(4, 8).map(function (value) { return value / ratio; });
                return {
                    label: cells[0], id: Number(cells[1]), window: cells[2], status: cells[3],
                    x: box.left + edge[0], y: box.top + edge[1], w: edge[2] - edge[0], h: edge[3] - edge[1],
                };
            });
        };
    },
});
