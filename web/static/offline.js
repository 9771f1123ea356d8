// Has the browser keep the whole page for use without a network (sw.js), and offers a new version once it has been
// fetched beside the old one. Loaded by boot.js when the program runs, where scripts/bundle has made that worker.
'use strict';

(function () {
    var workers = navigator.serviceWorker;
    if (!workers) return; // a private window, or an address without https

    var note = document.getElementById('update');
    var isTaken = false;
    var isFirst = !workers.controller;

    function offer(worker) {
        if (new URLSearchParams(location.search).has('embed')) return; // the page around it decides
        document.getElementById('update-take').onclick = function () {
            if (worker.state === 'activated') return location.reload(); // taken in another tab
            isTaken = true;
            worker.postMessage('take over');
        };
        document.getElementById('update-dismiss').onclick = function () { note.hidden = true; };
        note.hidden = false;
    }

    workers.addEventListener('controllerchange', function () {
        if (isTaken) return location.reload();
        if (!isFirst) offer(workers.controller);
        isFirst = false;
    });

    workers.register('sw.js').then(function (registration) {
        function watch() {
            var worker = registration.installing;
            if (!worker) return;
            worker.addEventListener('statechange', function () {
                if (worker.state === 'installed' && registration.active) offer(worker);
            });
        }
        if (registration.waiting && registration.active) offer(registration.waiting);
        watch();
        registration.addEventListener('updatefound', watch);
    }, function () {}); // switched off: the page works, with a network
})();
