// Loads the program and tells in plain words if that fails. Runs in <head>, before anything is painted.
'use strict';

var Module = {};

(function () {
    var root = document.documentElement;
    var version = root.dataset.version;
    var wasmBytes = Number(root.dataset.wasmBytes) || 0; // before compression; Content-Length tells it after
    var isWhole = 'whole' in root.dataset; // all files are inside this one: see packed()
    var isReady = false;
    var hasFailed = false;

    var texts = {
        loading: 'Loading',
        slow: 'Still loading? If this does not end, the network may be slow or may block .wasm files.',
        file: 'This page was opened as a file, and browsers do not load WebAssembly that way. Open ' +
            'the version in one file, megamem-….html, or serve this folder over HTTP, for example with: ' +
            'python3 -m http.server',
        old: 'This browser is too old to open the page from one file. Any current Firefox, Chrome, Edge or ' +
            'Safari does.',
        noWasm: 'This browser does not run WebAssembly. Any current Firefox, Chrome, Edge or Safari does. ' +
            'Some hardened modes (such as Lockdown Mode) switch it off.',
        noWebgl: 'This browser gave no WebGL2 graphics. Hardware acceleration may be switched off in its ' +
            'settings.',
        fetch: 'The program could not be loaded.',
        crash: 'Something went wrong inside the program. Reload the page: the link keeps the scenario.',
        start: 'The program could not start.',
    };

    // --- Theme, before the first paint ----------------------------------------------------------------

    try {
        var theme = localStorage.getItem('megamem.theme');
        if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
    } catch (unavailable) {}

    // --- Files ----------------------------------------------------------------------------------------

    // A bundle (scripts/bundle) names its files by their content and the page says how. Elsewhere the version keeps
    // old and new ones apart in caches.
    var names = find('names');
    names = names && JSON.parse(names.textContent);

    function addressOf(name) {
        if (!names) return name + '?v=' + encodeURIComponent(version);
        var parts = name.split('/');
        parts[0] = names[parts[0]] || parts[0];
        return parts.join('/');
    }

    // A file inside the page, as base64 of gzip.
    function packed(name) {
        return document.querySelector('script[data-file="' + name + '"]');
    }

    function unpack(name) {
        var bytes = Uint8Array.from(atob(packed(name).textContent), function (c) { return c.charCodeAt(0); });
        return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
    }

    // A file, wherever it is, as a response.
    function open(name) {
        if (isWhole) return new Promise(withBody).then(function () { return unpack(name); });
        return fetch(addressOf(name)).then(function (response) {
            if (response.ok) return response;
            throw new Error(name + ': HTTP ' + response.status + ' ' + response.statusText);
        });
    }

    // The bytes of a file. What Chinese needs is asked for here, early, and by the program, and fetched once.
    var kept = new Map();
    function load(name) {
        if (kept.has(name)) return kept.get(name);
        var file = open(name).then(function (response) { return response.arrayBuffer(); });
        if (/^zh\./.test(name)) {
            kept.set(name, file);
            file.catch(function () { kept.delete(name); }); // try again the next time
        }
        return file;
    }

    // Resolves when the script has run. The policy of the page in one file knows its scripts by their hashes.
    function run(name) {
        var script = document.createElement('script');
        if (isWhole) {
            return load(name).then(function (bytes) {
                script.textContent = new TextDecoder().decode(bytes);
                document.head.appendChild(script);
            });
        }
        return new Promise(function (resolve, reject) {
            script.src = addressOf(name);
            script.onload = resolve;
            script.onerror = function () { reject(new Error(name)); };
            document.head.appendChild(script);
        });
    }

    // --- Language -------------------------------------------------------------------------------------

    // English stands in the page and in the program. Chinese is lines of "English<tab>Chinese", fetched when they
    // are wanted: here at first, so that messages before the program has them too, and by the program.
    var dictionary = new Map();
    var english = new WeakMap(); // what a text or an attribute of the page says in English

    function say(text) {
        return dictionary.get(text) || text;
    }

    // All texts around the canvas, in the language of now.
    function translatePage() {
        var walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            var node = walker.currentNode;
            if (node.nodeType === 1) node = node.getAttributeNode('aria-label');
            if (!node) continue;
            var known = english.get(node);
            if (known && node.nodeValue === known.shown) {
                known.shown = node.nodeValue = say(known.text);
            } else if (dictionary.size) {
                var text = node.nodeValue.trim().replace(/\s+/g, ' ');
                if (!dictionary.has(text)) continue;
                node.nodeValue = say(text);
                english.set(node, { text: text, shown: node.nodeValue });
            }
        }
    }

    function speak(tag) {
        root.lang = tag;
        if (!/^zh/.test(tag)) {
            dictionary.clear();
            return translatePage();
        }
        load('zh.txt').then(function (bytes) {
            if (root.lang !== tag) return; // changed meanwhile
            var lines = new TextDecoder().decode(bytes).split('\n');
            dictionary = new Map(lines.map(function (line) { return line.split('\t'); }));
            withBody(translatePage);
        }, function () {}); // it stays English
    }

    var language = navigator.language || 'en';
    try {
        language = localStorage.getItem('megamem.language') || language;
    } catch (unavailable) {}
    if (/^zh/.test(language)) {
        speak('zh-CN');
        load('zh.ttf');
    }

    // --- Messages -------------------------------------------------------------------------------------

    // Runs when the body can be written to.
    function withBody(action) {
        if (document.readyState === 'loading') {
            document.addEventListener('DOMContentLoaded', action);
        } else {
            action();
        }
    }

    function find(id) {
        return document.getElementById(id);
    }

    function fail(text, detail) {
        if (hasFailed) return; // the first reason is the one that explains
        hasFailed = true;
        if (detail) console.error('megamem: ' + text + '\n' + detail);
        withBody(function () {
            find('loading').hidden = true;
            find('failure-text').textContent = text;
            find('failure-detail').textContent = detail || '';
            find('failure-detail').hidden = !detail;
            find('failure').hidden = false;
            translatePage();
            find('reload').onclick = function () { location.reload(); };
        });
    }

    // What the program and the tests use.
    window.megamem = {
        version: version,
        test: new URLSearchParams(location.search).has('test'),
        fail: fail,
        load: load,
        run: run,
        speak: speak,
        ready: function () {
            isReady = true;
            find('loading').hidden = true;
            // Whatever becomes of it, the page works.
            if (names) run('offline.js').catch(function () {});
        },
        recover: function () {
            hasFailed = false;
            find('failure').hidden = true;
        },
    };

    window.addEventListener('error', function (event) {
        if (!event.message || /^ResizeObserver loop/.test(event.message)) return;
        // Extensions fail inside pages too, and that is not our failure.
        if (event.filename && event.filename.indexOf(new URL('.', location.href).href) !== 0) return;
        fail(isReady ? texts.crash : texts.start, event.message);
    });
    window.addEventListener('unhandledrejection', function (event) {
        var isOurs = !isReady || (window.WebAssembly && event.reason instanceof WebAssembly.RuntimeError);
        if (isOurs) fail(isReady ? texts.crash : texts.start, String(event.reason));
    });

    // A link to a file that is inside the page.
    if (isWhole) {
        document.addEventListener('click', function (event) {
            var link = event.target.closest('a');
            var name = link && link.getAttribute('href');
            if (!name || !packed(name)) return;
            event.preventDefault();
            load(name).then(function (bytes) {
                window.open(URL.createObjectURL(new Blob([bytes], { type: 'text/plain;charset=utf-8' })));
            });
        });
    }

    // --- What is needed -------------------------------------------------------------------------------

    function hasWebgl2() {
        // A canvas of its own: a context on the real one would fix its attributes.
        var context = document.createElement('canvas').getContext('webgl2');
        if (!context) return false;
        var release = context.getExtension('WEBGL_lose_context');
        if (release) release.loseContext(); // browsers allow few contexts at a time
        return true;
    }

    if (location.protocol === 'file:' && !isWhole) return fail(texts.file);
    if (typeof WebAssembly !== 'object') return fail(texts.noWasm);
    if (isWhole && typeof DecompressionStream !== 'function') return fail(texts.old);
    // Starts now, beside the script and while the graphics are tried.
    var wasm = open('megamem.wasm').then(counted);
    wasm.catch(function (error) { fail(texts.fetch, String(error)); });

    if (!hasWebgl2()) return fail(texts.noWebgl);

    // --- Loading --------------------------------------------------------------------------------------

    function showProgress(bytes) {
        var progress = find('progress');
        if (!progress || !wasmBytes) return;
        var percent = Math.min(Math.floor(bytes * 100 / wasmBytes), 100);
        progress.textContent = say(texts.loading) + ' ' + percent + ' %';
    }

    // The same response, with its bytes counted as they pass.
    function counted(response) {
        if (!response.body || typeof ReadableStream !== 'function') return response;
        var reader = response.body.getReader();
        var received = 0;
        var stream = new ReadableStream({
            pull: function (controller) {
                return reader.read().then(function (chunk) {
                    if (chunk.done) return controller.close();
                    received += chunk.value.length;
                    showProgress(received);
                    controller.enqueue(chunk.value);
                });
            },
            cancel: function (reason) { return reader.cancel(reason); },
        });
        // Some servers do not know the type of .wasm, and streaming insists on it.
        return new Response(stream, { headers: { 'Content-Type': 'application/wasm' } });
    }

    function compile(response, imports) {
        if (WebAssembly.instantiateStreaming) return WebAssembly.instantiateStreaming(response, imports);
        return response.arrayBuffer().then(function (bytes) {
            return WebAssembly.instantiate(bytes, imports);
        });
    }

    Module.instantiateWasm = function (imports, done) {
        wasm.then(function (response) { return compile(response, imports); })
            .then(function (result) { done(result.instance, result.module); })
            .catch(function (error) { fail(texts.start, String(error)); });
        return {}; // it comes later, by `done`
    };
    Module.onAbort = function (reason) { fail(isReady ? texts.crash : texts.start, String(reason)); };
    Module.print = function (text) { console.log(text); };
    Module.printErr = function (text) { console.warn(text); };

    withBody(function () {
        Module.canvas = find('canvas');
        setTimeout(function () {
            find('slow').textContent = say(texts.slow);
            find('slow').hidden = false;
        }, 5000);
        run('megamem.js').catch(function (error) { fail(texts.fetch, String(error)); });
    });
})();
