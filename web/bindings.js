// importText(text): see import_foreign() in bindings.cpp.
(function () {
    var then = Module['onRuntimeInitialized'];
    Module['onRuntimeInitialized'] = function () {
        Module['importText'] = function (text) {
            var bytes = new TextEncoder().encode(text);
            HEAPU8.set(bytes, Module['roomForImport'](bytes.length));
            return Module['importRoom']();
        };
        if (then) then();
    };
})();
