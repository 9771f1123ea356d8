// location.hash. Only `hashchange` is listened to: Back and an edited address fire it, replaceState and
// pushState do not.

mergeInto(LibraryManager.library, {
    mm_js_watch_link__deps: ['$mm', '$mmLink'],
    mm_js_watch_link: function () {
        mmLink.known = mmLink.read();
        window.addEventListener('hashchange', function () {
            var hash = mmLink.read();
            if (hash === mmLink.known) return;
            mmLink.known = hash;
            mmLink.queue = []; // what the reader went to wins
            mm.send(hash);
            _mm_on_hash();
        });
    },

    $mmLink: {
        known: '', // as read back after the last change, since the browser encodes some characters

        // Browsers allow 100 calls in 30 seconds, and some throw or drop the page's changes after that. What is too
        // much for now waits here: one {hash, push} for each entry of the history.
        most: 80,
        span: 30000,
        times: [], // of the last calls
        queue: [],
        timer: 0,

        read: function () {
            return window.location.hash.slice(1);
        },

        // What the address says, or will when there is room for it.
        last: function () {
            var length = mmLink.queue.length;
            return length ? mmLink.queue[length - 1].hash : mmLink.read();
        },

        // Milliseconds until one more call is allowed.
        delay: function () {
            var now = performance.now();
            while (mmLink.times.length && now - mmLink.times[0] > mmLink.span) mmLink.times.shift();
            return mmLink.times.length < mmLink.most ? 0 : mmLink.times[0] + mmLink.span - now + 1;
        },

        write: function (hash, push) {
            if (hash === mmLink.last()) return;
            if (!push && mmLink.queue.length) {
                mmLink.queue[mmLink.queue.length - 1].hash = hash;
            } else {
                mmLink.queue.push({ hash: hash, push: push });
            }
            if (!mmLink.timer) mmLink.flush();
        },

        flush: function () {
            mmLink.timer = 0;
            while (mmLink.queue.length) {
                // An address that was typed a moment ago: its `hashchange` is on its way.
                if (mmLink.read() !== mmLink.known) return;
                var delay = mmLink.delay();
                if (delay > 0) {
                    mmLink.timer = setTimeout(mmLink.flush, delay);
                    return;
                }
                mmLink.call(mmLink.queue.shift());
            }
        },

        call: function (entry) {
            var url = entry.hash ? '#' + entry.hash : window.location.pathname + window.location.search;
            mmLink.times.push(performance.now());
            try {
                history[entry.push ? 'pushState' : 'replaceState'](null, '', url);
            } catch (refused) {
                // Another limit than ours. The next change writes again; until then the address is behind.
            }
            mmLink.known = mmLink.read();
        },
    },

    mm_js_read_hash__deps: ['$mm', '$mmLink'],
    mm_js_read_hash: function () {
        mm.send(mmLink.read());
    },

    mm_js_read_address__deps: ['$mm', '$mmLink'],
    mm_js_read_address: function () {
        mm.send(window.location.href.split('#')[0] + '#' + mmLink.last());
    },

    mm_js_write_hash__deps: ['$mm', '$mmLink'],
    mm_js_write_hash: function (pointer, length, push) {
        mmLink.write(mm.text(pointer, length), push);
    },
});
