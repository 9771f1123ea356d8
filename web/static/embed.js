// The page in an iframe (?embed=1): scenarios come from the page around it, and reports go back. docs/embed.md has the
// protocol.
'use strict';

(function () {
    var mostBytes = 256 * 1024; // of a link or a scenario
    var questions = { exported: 1, link: 5 }; // as in web/desk/question.h
    var reportAsJson = 5; // as in engine/export/export.h

    // --- The way to the whole page ----------------------------------------------------------------------

    function wholePage() {
        var query = new URLSearchParams(location.search);
        query.delete('embed');
        return location.pathname + (String(query) ? '?' + query : '') + location.hash;
    }

    var height = '26px';
    var link = document.createElement('a');
    link.id = 'open';
    link.textContent = 'Open in megamem';
    link.target = '_blank';
    link.rel = 'noopener';
    Object.assign(link.style, {
        position: 'absolute', right: '16px', bottom: '0', font: '13px/' + height + ' system-ui, sans-serif',
    });
    function refresh() { link.href = wholePage(); }
    ['pointerdown', 'pointerenter', 'focus'].forEach(function (type) { link.addEventListener(type, refresh); });
    window.addEventListener('hashchange', refresh);
    refresh();
    document.getElementById('stage').style.bottom = height;
    document.body.appendChild(link);
    window.megamem.speak(document.documentElement.lang);

    // --- Messages ---------------------------------------------------------------------------------------

    if (window.parent === window) return; // nobody to speak with

    function textOf(value, what) {
        if (new Blob([value]).size > mostBytes) throw new Error(what + ' is larger than 256 KiB');
        return value;
    }

    // A promise of "#...".
    function linkOf(message) {
        if (typeof message.link === 'string') {
            var text = textOf(message.link, 'the link');
            return Promise.resolve('#' + text.slice(text.indexOf('#') + 1));
        }
        var scenario = message.scenario;
        if (!scenario || typeof scenario !== 'object') throw new Error('a link or a scenario is missing');
        var json = textOf(JSON.stringify(scenario), 'the scenario');
        return window.megamem.ask(json, questions.link, 0).then(function (answer) {
            if (answer[0] !== '#') throw new Error(answer);
            return answer;
        });
    }

    // The program follows the address.
    function show(hash) {
        location.replace(hash);
        return window.megamem.ask(hash, questions.exported, reportAsJson).then(function (report) {
            return { type: 'megamem:report', link: hash, report: JSON.parse(report) };
        });
    }

    function handle(message) {
        if (message.type !== 'megamem:set') throw new Error('unknown message type');
        return linkOf(message).then(show);
    }

    var before = Promise.resolve(); // one after the other: the last message is what is shown
    window.addEventListener('message', function (event) {
        var message = event.data;
        if (event.source !== window.parent || !message || !/^megamem:/.test(message.type)) return;
        var id = message.id;
        // Only to the page that asked. One without an origin ("null") can't be named, and gets no answer.
        function answer(content) {
            if (typeof id === 'string' || typeof id === 'number') content.id = id;
            if (event.origin !== 'null') event.source.postMessage(content, event.origin);
        }
        before = before.then(function () { return handle(message); }).then(answer, function (error) {
            answer({ type: 'megamem:error', message: error.message || 'a part of the program could not be loaded' });
        });
    });
    window.parent.postMessage({ type: 'megamem:ready', version: window.megamem.version }, '*');
})();
