// Loads the program that reads and writes foreign formats (web/import_program.cpp), once, and asks it. Questions are
// answered in the order in which they come.

mergeInto(LibraryManager.library, {
    $mmImport: {
        queue: null, // a promise: the program, and all that was asked of it so far

        load: function () {
            return new Promise(function (resolve, reject) {
                var script = document.createElement('script');
                var version = encodeURIComponent(document.documentElement.dataset.version);
                script.src = 'megamem-import.js?v=' + version;
                script.onerror = reject;
                script.onload = function () {
                    createMegamemImport({
                        locateFile: function (name) { return name + '?v=' + version; },
                    }).then(resolve, reject);
                };
                document.head.appendChild(script);
            });
        },

        ask: function (program, bytes, format) {
            var room = program._megamem_import_room(bytes.length);
            program.HEAPU8.set(bytes, room);
            var answer = format < 0 ? program._megamem_import_read() :
                program._megamem_import_export(format);
            return program.HEAPU8.slice(answer, answer + program._megamem_import_size());
        },
    },

    mm_js_ask_foreign__deps: ['$mm', '$mmImport'],
    mm_js_ask_foreign: function (pointer, length, format) {
        var bytes = HEAPU8.slice(pointer, pointer + length);
        var tell = function (answer) {
            _mm_on_wake();
            mm.sendBytes(answer);
            _mm_on_foreign();
        };
        mmImport.queue = (mmImport.queue || mmImport.load()).then(function (program) {
            tell(mmImport.ask(program, bytes, format));
            return program;
        });
        mmImport.queue.catch(function () {
            mmImport.queue = null; // try again the next time
            tell(new Uint8Array(0));
        });
    },
});
