// Files of the page's own folder that aren't needed at first.

mergeInto(LibraryManager.library, {
    mm_js_fetch__deps: ['$mm'],
    mm_js_fetch: function (pointer, length, ticket) {
        var tell = function (buffer) {
            _mm_on_wake();
            mm.sendBytes(new Uint8Array(buffer));
            _mm_on_fetched(ticket);
        };
        window.megamem.load(mm.text(pointer, length)).then(tell, function () { tell(new ArrayBuffer(0)); });
    },
});
