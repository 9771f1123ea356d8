// Mouse, pen, touch and wheel events of the canvas. Touch works as it does on any page: a tap clicks, a swipe
// scrolls, holding and then moving drags, holding and letting go is a right click.

mergeInto(LibraryManager.library, {
    mm_js_watch_pointer__deps: ['$mm', '$mmTouch'],
    mm_js_watch_pointer: function () {
        var canvas = mm.canvas;

        var mouse = function (event) {
            var at = mm.position(event);
            _mm_on_pointer_move(at.x, at.y, 0);
            // The mask, not the event's type: with a second button down, the DOM sends only moves.
            _mm_on_pointer_buttons(event.buttons, 0);
        };
        mm.on(canvas, 'pointerdown', function (event) {
            if (document.activeElement !== mm.textInput) mm.focusCanvas();
            if (event.pointerType === 'touch') return mmTouch.down(event);
            try {
                canvas.setPointerCapture(event.pointerId); // a drag goes on outside the canvas
            } catch (gone) {}
            mouse(event);
        });
        mm.on(canvas, 'pointermove', function (event) {
            if (event.pointerType === 'touch') return mmTouch.move(event);
            mouse(event);
        });
        mm.on(canvas, 'pointerup', function (event) {
            if (event.pointerType === 'touch') return mmTouch.up(event);
            mouse(event);
            _mm_on_flush(); // a button that copies must run inside this event
        });
        mm.on(canvas, 'pointercancel', function (event) {
            if (event.pointerType === 'touch') return mmTouch.cancel(event);
            _mm_on_pointer_buttons(0, 0);
        });
        mm.on(canvas, 'pointerleave', function (event) {
            if (event.pointerType !== 'touch' && event.buttons === 0) _mm_on_pointer_leave();
        });

        // We place the focus ourselves: the default would close a phone's keyboard and select text.
        canvas.addEventListener('mousedown', function (event) {
            event.preventDefault();
            _mm_on_click_count(event.detail);
        });
        canvas.addEventListener('contextmenu', function (event) { event.preventDefault(); });

        // On Linux a middle click pastes what is selected anywhere, by Chromium's mouseup and by Firefox's auxclick:
        // welcome in a text, an accident elsewhere.
        ['mouseup', 'auxclick'].forEach(function (type) {
            canvas.addEventListener(type, function (event) {
                if (event.button === 1 && !mm.wantsText) event.preventDefault();
            });
        });

        canvas.addEventListener('wheel', function (event) {
            if (event.ctrlKey) return; // zoom belongs to the browser
            event.preventDefault();
            _mm_on_wake();
            var unit = [1 / 100, 1 / 3, 80][event.deltaMode];
            var x = -event.deltaX * unit;
            var y = -event.deltaY * unit;
            // Browsers turn the wheel sideways while Shift is down. So does ImGui, except on a Mac: undo it
            // for ImGui.
            if (event.shiftKey && y === 0 && !mm.isMac) { y = x; x = 0; }
            _mm_on_wheel(x, y);
        }, { passive: false });
    },

    $mmTouch__deps: ['$mm'],
    $mmTouch: {
        finger: null, // the first finger; others are left to the browser, which zooms with them

        farFromStart: function (event) {
            var finger = mmTouch.finger;
            return Math.hypot(event.clientX - finger.startX, event.clientY - finger.startY) > 10;
        },

        down: function (event) {
            if (mmTouch.finger) return;
            mmTouch.finger = {
                id: event.pointerId, mode: 'wait', time: event.timeStamp, // when it was done, however late it is heard of
                startX: event.clientX, startY: event.clientY, last: mm.position(event),
            };
            var at = mmTouch.finger.last;
            _mm_on_pointer_move(at.x, at.y, 1); // shows what lies under the finger, and where a swipe scrolls
        },

        move: function (event) {
            var finger = mmTouch.finger;
            if (!finger || finger.id !== event.pointerId) return;
            var at = mm.position(event);
            if (finger.mode === 'wait' && mmTouch.farFromStart(event)) {
                if (event.timeStamp - finger.time < 250) {
                    finger.mode = 'scroll';
                } else {
                    finger.mode = 'drag';
                    _mm_on_pointer_buttons(1, 1); // pressed where the finger was put down
                }
            }
            if (finger.mode === 'scroll') _mm_on_touch_scroll(at.x - finger.last.x, at.y - finger.last.y);
            if (finger.mode === 'drag') _mm_on_pointer_move(at.x, at.y, 1);
            if (finger.mode !== 'wait') finger.last = at;
        },

        up: function (event) {
            var finger = mmTouch.finger;
            if (!finger || finger.id !== event.pointerId) return;
            mmTouch.finger = null;
            var held = event.timeStamp - finger.time;
            if (finger.mode === 'wait') _mm_on_pointer_buttons(held < 600 ? 1 : 2, 1);
            _mm_on_pointer_buttons(0, 1);
            _mm_on_pointer_leave(); // nothing stays hovered
            _mm_on_flush(); // a phone opens its keyboard only inside this event
            // The user may have closed the keyboard while the field kept the focus: only a new focus reopens
            // it.
            if (finger.mode === 'wait' && mm.wantsText && document.activeElement === mm.textInput) {
                mm.textInput.blur();
                mm.textInput.focus({ preventScroll: true });
            }
        },

        cancel: function (event) {
            if (!mmTouch.finger || mmTouch.finger.id !== event.pointerId) return;
            mmTouch.finger = null;
            _mm_on_pointer_buttons(0, 1);
            _mm_on_pointer_leave();
        },
    },

    mm_js_set_cursor__deps: ['$mm'],
    mm_js_set_cursor: function (shape, length) {
        mm.canvas.style.cursor = mm.text(shape, length);
    },
});
