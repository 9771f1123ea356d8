// Files of the page's own folder that aren't needed at first.

mergeInto(LibraryManager.library, {
    mm_js_fetch__deps: ['$mm'],
    mm_js_fetch: function (pointer, length, ticket) {
        var tell = function (buffer) {
            _mm_on_wake();
            mm.sendBytes(new Uint8Array(buffer));
            _mm_on_fetched(ticket);
        };
        // The version keeps old and new files apart in caches, as boot.js does.
        var version = encodeURIComponent(document.documentElement.dataset.version);
        fetch(mm.text(pointer, length) + '?v=' + version).then(function (response) {
            if (!response.ok) throw new Error(response.status);
            return response.arrayBuffer();
        }).then(tell, function () { tell(new ArrayBuffer(0)); });
    },
});
