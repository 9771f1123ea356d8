// Loads the program beside the page (web/desk/program.cpp), once, and asks it. Questions that can wait are answered
// in the order in which they come.

mergeInto(LibraryManager.library, {
    $mmDesk: {
        program: null,
        loading: null, // a promise
        queue: null, // a promise: all that was asked so far

        // As DeskState has it.
        tell: function (state) {
            _mm_on_wake();
            _mm_on_desk(state);
        },

        load: function () {
            if (mmDesk.loading) return mmDesk.loading;
            mmDesk.tell(1);
            var wasm = window.megamem.load('megamem-desk.wasm');
            var script = window.megamem.run('megamem-desk.js');
            mmDesk.loading = Promise.all([wasm, script]).then(function (loaded) {
                return createMegamemDesk({ wasmBinary: loaded[0] });
            }).then(function (program) {
                mmDesk.program = program;
                mmDesk.tell(2);
            });
            mmDesk.loading.catch(function () {
                mmDesk.loading = null; // try again the next time
                mmDesk.tell(3);
            });
            return mmDesk.loading;
        },

        ask: function (bytes, question, number) {
            var program = mmDesk.program;
            var room = program._megamem_desk_room(bytes.length);
            program.HEAPU8.set(bytes, room);
            var answer = program._megamem_desk_answer(question, number);
            return program.HEAPU8.slice(answer, answer + program._megamem_desk_size());
        },
    },

    mm_js_ask_desk__deps: ['$mm', '$mmDesk'],
    mm_js_ask_desk: function (pointer, length, question, number) {
        var bytes = HEAPU8.slice(pointer, pointer + length);
        var tell = function (answer) {
            _mm_on_wake();
            mm.sendBytes(answer);
            _mm_on_desk_answer();
        };
        mmDesk.queue = (mmDesk.queue || Promise.resolve()).then(mmDesk.load).then(
            function () { tell(mmDesk.ask(bytes, question, number)); },
            function () { tell(new Uint8Array(0)); });
    },

    mm_js_ask_desk_now__deps: ['$mm', '$mmDesk'],
    mm_js_ask_desk_now: function (pointer, length, question, number) {
        if (!mmDesk.program) {
            mmDesk.load();
            return 0;
        }
        mm.sendBytes(mmDesk.ask(HEAPU8.slice(pointer, pointer + length), question, number));
        return 1;
    },
});
