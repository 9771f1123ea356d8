// Tells C++ the size of the canvas in device pixels whenever it, or the pixel ratio, changes.

mergeInto(LibraryManager.library, {
    mm_js_watch_canvas__deps: ['$mm'],
    mm_js_watch_canvas: function () {
        mm.canvas = document.getElementById('canvas');
        mm.textInput = document.getElementById('text-input');
        mm.isMac = /^(Mac|iPhone|iPad)/.test(navigator.platform || '');

        // `exact` is what the browser says in device pixels. A rounding of our own can be off by one at
        // ratios like 1.25, and then every glyph is resampled. Emulated pixel ratios are not in it, so it
        // must be near ours.
        var measure = function (exact) {
            var box = mm.canvas.getBoundingClientRect();
            var ratio = window.devicePixelRatio || 1;
            var width = box.width * ratio;
            var height = box.height * ratio;
            if (width < 1 || height < 1) return; // not laid out
            if (exact && Math.abs(exact.inlineSize - width) < 2 && Math.abs(exact.blockSize - height) < 2) {
                width = exact.inlineSize;
                height = exact.blockSize;
            }
            mm.ratio = ratio;
            _mm_on_canvas(Math.round(width), Math.round(height), ratio);
        };
        mm.measure = measure;
        measure(null);

        var observer = new ResizeObserver(function (entries) {
            var boxes = entries[entries.length - 1].devicePixelContentBoxSize;
            measure(boxes ? boxes[0] : null);
        });
        try {
            observer.observe(mm.canvas, { box: 'device-pixel-content-box' });
        } catch (unsupported) {
            observer.observe(mm.canvas);
        }

        // Zooming changes the ratio but not always the box; moving the window to another screen changes it,
        // maybe without any resize event.
        window.addEventListener('resize', function () { measure(null); });
        var watchRatio = function () {
            var query = matchMedia('(resolution: ' + window.devicePixelRatio + 'dppx)');
            query.addEventListener('change', function () {
                measure(null);
                watchRatio();
            }, { once: true });
        };
        watchRatio();
    },

    // Each frame asks, in case no event told.
    mm_js_check_ratio__deps: ['$mm'],
    mm_js_check_ratio: function () {
        if (mm.ratio !== (window.devicePixelRatio || 1)) mm.measure(null);
    },
});
