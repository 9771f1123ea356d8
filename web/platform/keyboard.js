// Key events of the canvas and of the hidden text input.
//
// Only keys that would do harm are kept from the browser. Ctrl+F, F5, Ctrl+R, zoom, developer tools and tabs
// go on to it, and so must Ctrl+C, X and V: their clipboard events do not come otherwise.

mergeInto(LibraryManager.library, {
    mm_js_watch_keyboard__deps: ['$mm', '$GLFW'],
    mm_js_watch_keyboard: function () {
        // GLFW's listeners are on the window and stop Backspace and Tab in every text field of the page.
        if (typeof GLFW === 'object') {
            if (GLFW.onKeydown) window.removeEventListener('keydown', GLFW.onKeydown, true);
            if (GLFW.onKeyPress) window.removeEventListener('keypress', GLFW.onKeyPress, true);
            if (GLFW.onKeyup) window.removeEventListener('keyup', GLFW.onKeyup, true);
            if (GLFW.onBlur) window.removeEventListener('blur', GLFW.onBlur, true);
        }

        var stage = mm.canvas.parentElement; // holds the canvas and the text input
        var escaped = false; // Escape, then Tab, leaves the canvas: the keyboard is no trap

        var send = function (event, down) {
            var modifiers = (event.ctrlKey ? 1 : 0) | (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0) |
                (event.metaKey ? 8 : 0);
            mm.send(event.code || '');
            _mm_on_key(event.keyCode, modifiers, down);
        };
        var isComposing = function (event) {
            return event.isComposing || event.keyCode === 229; // the input method has the key
        };
        var isText = function (event) {
            var control = (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph');
            return !control && Array.from(event.key).length === 1;
        };
        var isOurs = function (event) {
            if (event.ctrlKey || event.metaKey) {
                return !event.altKey && /^[azy]$/i.test(event.key); // select all, undo, redo
            }
            return /^(F1|Tab|Backspace|Enter|Arrow.*|Page.*|Home|End)$/.test(event.key) && !event.altKey;
        };

        mm.on(stage, 'keydown', function (event) {
            mm.lastKeyCode = event.keyCode;
            if (isComposing(event) || !event.key) return; // autofill sends events without a key
            if (event.key === 'Tab' && escaped && !mm.wantsText) return;
            escaped = event.key === 'Escape' || (escaped && event.key === 'Shift');
            send(event, 1);
            if (event.target === mm.canvas && isText(event)) {
                // Typed before the text input had the focus. This also keeps Firefox's quick find shut.
                event.preventDefault();
                mm.send(event.key);
                _mm_on_text();
            } else if (isOurs(event)) {
                event.preventDefault();
            }
        });
        mm.on(stage, 'keyup', function (event) {
            send(event, 0);
            // Key-up events get lost while the Command key is down.
            if (event.key === 'Meta' || event.key === 'OS') _mm_on_keys_released();
        });
        mm.on(stage, 'pointerdown', function () { escaped = false; });

        mm.on(stage, 'focusout', function (event) {
            if (!event.relatedTarget || !stage.contains(event.relatedTarget)) _mm_on_focus(0);
        });
        mm.on(stage, 'focusin', function () { _mm_on_focus(1); });
        mm.on(window, 'blur', function () { _mm_on_focus(0); });
        mm.on(window, 'focus', function () { _mm_on_focus(1); });
        mm.on(document, 'visibilitychange', function () {}); // only wakes: the picture may have been dropped

        if (!document.activeElement || document.activeElement === document.body) mm.focusCanvas();
    },
});
