// The hidden text element. Its text is passed on and removed at once, except while an input method composes:
// then it is shown at the caret, because ImGui cannot show unfinished text.

mergeInto(LibraryManager.library, {
    mm_js_watch_text_input__deps: ['$mm'],
    mm_js_watch_text_input: function () {
        var input = mm.textInput;
        var take = function () {
            var text = input.value;
            input.value = '';
            if (!text) return;
            mm.send(text);
            _mm_on_text();
        };
        mm.on(input, 'beforeinput', function (event) {
            if (event.isComposing || mm.lastKeyCode !== 229) return; // a key told it already
            if (!/^deleteContent/.test(event.inputType)) return;
            _mm_on_delete(/Forward$/.test(event.inputType) ? 1 : 0);
        });
        mm.on(input, 'input', function (event) {
            if (event.isComposing) return;
            if (/^insert/.test(event.inputType || 'insert')) {
                take();
            } else {
                input.value = ''; // the browser's own undo and the like
            }
        });
        mm.on(input, 'compositionstart', function () {
            input.classList.add('composing');
        });
        mm.on(input, 'compositionupdate', function (event) {
            input.style.width = (event.data.length + 1) + 'em';
        });
        mm.on(input, 'compositionend', function () {
            input.classList.remove('composing');
            input.style.width = '';
            take();
        });
    },

    mm_js_place_text_input__deps: ['$mm'],
    mm_js_place_text_input: function (wanted, x, y, lineHeight) {
        var input = mm.textInput;
        mm.wantsText = wanted !== 0;
        if (mm.wantsText) {
            // Inside the window, whatever ImGui says: typing would scroll the page to a caret beyond its edge.
            var height = lineHeight > 0 ? lineHeight : 20;
            input.style.left = Math.max(0, Math.min(x, innerWidth - height)) + 'px';
            input.style.top = Math.max(0, Math.min(y, innerHeight - 2 * height)) + 'px';
            if (lineHeight > 0) input.style.height = input.style.lineHeight = lineHeight + 'px';
            // Never from another element of the page, such as the box with text to copy.
            if (document.activeElement !== input && mm.owns(document.activeElement)) {
                input.focus({ preventScroll: true });
            }
        } else if (document.activeElement === input) {
            mm.focusCanvas();
        }
    },
});
