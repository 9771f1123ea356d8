// importText(text) and importTexts(texts, scenario): see import_foreign() and import_scenario() in bindings.cpp.
(function () {
    function fillRoom(text) {
        var bytes = new TextEncoder().encode(text);
        HEAPU8.set(bytes, Module['roomForImport'](bytes.length));
    }
    var then = Module['onRuntimeInitialized'];
    Module['onRuntimeInitialized'] = function () {
        Module['importText'] = function (text) {
            fillRoom(text);
            return Module['importRoom']();
        };
        Module['importTexts'] = function (texts, scenario) {
            fillRoom(JSON.stringify(texts));
            return Module['importRoomInto'](scenario);
        };
        if (then) then();
    };
})();
