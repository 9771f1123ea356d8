// Clipboard events, and the ways to copy that browsers leave to a button.

mergeInto(LibraryManager.library, {
    mm_js_watch_clipboard__deps: ['$mm', '$mmClipboard'],
    mm_js_watch_clipboard: function () {
        mm.on(document, 'keydown', function (event) {
            mmClipboard.pasteKey = /^v$/i.test(event.key) ? event.ctrlKey || event.metaKey :
                event.key === 'Insert' && event.shiftKey;
        });
        mm.on(document, 'keyup', function () { mmClipboard.pasteKey = false; });

        // Is the clipboard meant for the app? The focus tells, not the target of its events, which is wherever the
        // selection happens to lie (Firefox: beside the canvas) unless text is edited. A box over the page keeps
        // the clipboard for itself.
        var isOurs = function () {
            var focused = document.activeElement;
            return !focused || !focused.closest('dialog, [role=dialog]');
        };

        mm.on(document, 'paste', function (event) {
            if (!isOurs()) return;
            var text = event.clipboardData.getData('text/plain');
            event.preventDefault();
            if (!text) return;
            mm.send(text.slice(0, mmClipboard.longest + 1)); // too long: the reader says so
            _mm_on_paste(mmClipboard.pasteKey ? 1 : 0);
        });

        // ImGui has the copy key in its queue. Let it act now: Safari lets a page copy only inside this
        // event.
        var copy = function (event) {
            if (!isOurs()) return;
            if (event.target !== mm.textInput && String(document.getSelection())) return; // text of the page
            mmClipboard.copied = '';
            _mm_on_flush();
            if (mmClipboard.copied) event.clipboardData.setData('text/plain', mmClipboard.copied);
            if (mmClipboard.copied) event.preventDefault();
            mmClipboard.copied = null;
        };
        mm.on(document, 'copy', copy);
        mm.on(document, 'cut', copy);
    },

    $mmClipboard__deps: ['$mm'],
    $mmClipboard: {
        pasteKey: false,
        copied: null, // text that ImGui copies during a copy event; null outside of one
        longest: 5000000,

        // For pages without a clipboard, such as http:// on another host. Works only soon after a click.
        copyByCommand: function (text) {
            var field = document.createElement('textarea');
            field.value = text;
            field.className = 'hidden-text';
            var focused = document.activeElement;
            document.body.appendChild(field);
            field.select();
            var done = false;
            try {
                done = document.execCommand('copy');
            } catch (refused) {}
            field.remove();
            if (focused && focused.focus) focused.focus({ preventScroll: true });
            return done;
        },

        // The last resort: the text in a box, selected.
        show: function (text) {
            var box = document.getElementById('copy-box');
            var field = box.querySelector('textarea');
            var close = function () {
                box.hidden = true;
                mm.focusCanvas();
            };
            box.querySelector('button').onclick = close;
            box.onkeydown = function (event) {
                if (event.key === 'Escape') close();
            };
            field.value = text;
            box.hidden = false;
            field.focus();
            field.select();
        },
    },

    mm_js_write_clipboard__deps: ['$mm', '$mmClipboard'],
    mm_js_write_clipboard: function (pointer, length) {
        var text = mm.text(pointer, length);
        if (mmClipboard.copied !== null) {
            mmClipboard.copied = text;
        } else if (navigator.clipboard && navigator.clipboard.writeText) {
            navigator.clipboard.writeText(text).catch(function () { mmClipboard.copyByCommand(text); });
        } else {
            mmClipboard.copyByCommand(text);
        }
    },

    mm_js_copy_text__deps: ['$mm', '$mmClipboard'],
    mm_js_copy_text: function (pointer, length) {
        var text = mm.text(pointer, length);
        var otherwise = function () {
            if (mmClipboard.copyByCommand(text)) return _mm_on_copied(0);
            mmClipboard.show(text);
            _mm_on_copied(1);
        };
        if (navigator.clipboard && navigator.clipboard.writeText) {
            navigator.clipboard.writeText(text).then(function () { _mm_on_copied(0); }, otherwise);
        } else {
            otherwise();
        }
    },
});
