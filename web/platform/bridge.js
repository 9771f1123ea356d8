// What all parts of the platform layer share in JavaScript: `mm`, inside the compiled module. See bridge.h.
// These files are read by emcc: write keys with `function`, and do not begin a line with '#'.

mergeInto(LibraryManager.library, {
    $mm: {
        canvas: null,
        ratio: 1,
        measure: null,
        textInput: null, // the hidden element that takes typed text while an ImGui text field is active
        wantsText: false,
        isMac: false,

        text: function (pointer, length) {
            // slice, not subarray: TextDecoder refuses memory that may grow.
            return new TextDecoder().decode(HEAPU8.slice(pointer, pointer + length));
        },

        send: function (text) {
            mm.sendBytes(new TextEncoder().encode(text));
        },

        sendBytes: function (bytes) {
            var pointer = _mm_on_inbox(bytes.length);
            HEAPU8.set(bytes, pointer); // read HEAPU8 after the call, since that may have grown the memory
        },

        // Every event that concerns us also wakes the loop, before the handler: a failing handler must not
        // leave the page asleep.
        on: function (target, type, handler, options) {
            target.addEventListener(type, function (event) {
                _mm_on_wake();
                handler(event);
            }, options);
        },

        // Is this event meant for the app, and not for another element of the page?
        owns: function (target) {
            return target === mm.canvas || target === mm.textInput || target === document.body ||
                target === document.documentElement || target === document;
        },

        // Device pixels of the canvas under a pointer event.
        position: function (event) {
            var box = mm.canvas.getBoundingClientRect();
            return {
                x: (event.clientX - box.left) * mm.canvas.width / (box.width || 1),
                y: (event.clientY - box.top) * mm.canvas.height / (box.height || 1),
            };
        },

        focusCanvas: function () {
            mm.canvas.focus({ preventScroll: true });
        },
    },
});
