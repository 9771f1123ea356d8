// Loss and return of the WebGL context.

mergeInto(LibraryManager.library, {
    mm_js_watch_context__deps: ['$mm', '$GL'],
    mm_js_watch_context: function () {
        var timer = 0;
        mm.canvas.addEventListener('webglcontextlost', function (event) {
            event.preventDefault(); // otherwise it never comes back
            _mm_on_context_lost();
            timer = setTimeout(function () {
                window.megamem.fail('The browser took the graphics away and has not given them back. ' +
                    'Reload the page: the link keeps the scenario.');
            }, 5000);
        });
        mm.canvas.addEventListener('webglcontextrestored', function () {
            clearTimeout(timer);
            window.megamem.recover();
            _mm_on_context_restored();
        });
    },

    mm_js_forget_gl_objects__deps: ['$GL'],
    mm_js_forget_gl_objects: function () {
        ['buffers', 'programs', 'framebuffers', 'renderbuffers', 'textures', 'shaders', 'vaos', 'samplers',
            'queries', 'syncs', 'transformFeedbacks'].forEach(function (kind) {
            if (Array.isArray(GL[kind])) GL[kind].fill(null);
        });
    },
});
