// Makes elements of what app/document.cpp coded, and switches between the canvas and the text. All text goes in as text,
// never as HTML: it may come from a link.

mergeInto(LibraryManager.library, {
    $mmDocument__deps: ['$mm'],
    $mmDocument: {
        coded: '', // of the mirror
        announcing: 0,

        find: function (id) { return document.getElementById(id); },

        add: function (parent, tag, text) {
            var element = document.createElement(tag);
            if (text) element.textContent = text;
            return parent.appendChild(element);
        },

        row: function (table, section, cells) {
            var add = mmDocument.add;
            var row = add(table.querySelector(section) || add(table, section), 'tr');
            cells.forEach(function (text, column) {
                var isHead = section === 'thead' || column === 0;
                var parts = text.split('\x1d');
                var cell = add(row, isHead ? 'th' : 'td', parts[0]);
                if (isHead) cell.scope = section === 'thead' ? 'col' : 'row';
                if (parts[1]) cell.dataset.exact = parts[1];
            });
        },

        fill: function (element, coded) {
            var content = document.createDocumentFragment();
            var add = mmDocument.add;
            var table;
            coded.split('\x1e').slice(0, -1).forEach(function (block) {
                var fields = block.split('\x1f');
                var tag = fields.shift();
                var last = content.lastElementChild;
                if (tag === 'table') {
                    table = add(add(content, 'div'), tag);
                    if (fields[0]) add(table, 'caption', fields[0]);
                } else if (tag === 'li') {
                    add(last && last.tagName === 'UL' ? last : add(content, 'ul'), tag, fields[0]);
                } else if (/^t/.test(tag)) {
                    mmDocument.row(table, tag, fields);
                } else if (tag === 'a') {
                    var link = add(add(content, 'p'), tag, fields[0]);
                    link.href = fields[1];
                    link.target = '_blank'; // the page stays as it is
                } else {
                    add(content, tag, fields[0]);
                }
            });
            element.replaceChildren(content);
        },

        isText: function () { return document.documentElement.dataset.view === 'text'; },

        showText: function (shown) {
            if (shown === mmDocument.isText()) return;
            document.documentElement.dataset.view = shown ? 'text' : '';
            try {
                localStorage.setItem('megamem.view', shown ? 'text' : '');
            } catch (unavailable) {}
            if (shown) {
                mmDocument.find('mirror').focus();
            } else {
                mm.focusCanvas();
            }
            _mm_on_wake();
        },
    },

    mm_js_watch_text_view__deps: ['$mmDocument'],
    mm_js_watch_text_view: function () {
        var find = mmDocument.find;
        try {
            if (localStorage.getItem('megamem.view') === 'text') mmDocument.showText(true);
        } catch (unavailable) {}
        find('skip').onclick = function (event) {
            event.preventDefault(); // the hash belongs to the scenario
            mmDocument.showText(true);
        };
        find('mirror-close').onclick = function () { mmDocument.showText(false); };
        find('dialog-close').onclick = function () { find('dialog').close(); };
        find('dialog').onclose = function () {
            if (!mmDocument.isText()) mm.focusCanvas();
        };
        document.addEventListener('keydown', function (event) {
            if (find('dialog').open || event.ctrlKey || event.altKey || event.metaKey) return;
            var isText = mmDocument.isText();
            if (event.key === 'F8' || (event.key === 'Escape' && isText)) {
                event.preventDefault();
                mmDocument.showText(!isText);
            }
        });
    },

    mm_js_set_mirror__deps: ['$mm', '$mmDocument'],
    mm_js_set_mirror: function (title, titleLength, headline, headlineLength, pointer, length) {
        mmDocument.find('mirror-title').textContent = mm.text(title, titleLength);
        var said = mm.text(headline, headlineLength);
        var coded = mm.text(pointer, length);
        if (coded !== mmDocument.coded) mmDocument.fill(mmDocument.find('mirror-text'), coded);
        mmDocument.coded = coded;
        mmDocument.find('mirror-headline').textContent = said;
        // Announced when it has stood for a moment, so that not every digit of a number is.
        clearTimeout(mmDocument.announcing);
        mmDocument.announcing = setTimeout(function () {
            var region = mmDocument.find('announcement');
            if (region.textContent !== said) region.textContent = said; // the same text would be said again
        }, 700);
    },

    mm_js_show_text_view__deps: ['$mmDocument'],
    mm_js_show_text_view: function (shown) {
        mmDocument.showText(shown !== 0);
    },

    mm_js_text_view_is_shown__deps: ['$mmDocument'],
    mm_js_text_view_is_shown: function () {
        return mmDocument.isText() ? 1 : 0;
    },

    mm_js_show_dialog__deps: ['$mm', '$mmDocument'],
    mm_js_show_dialog: function (pointer, length) {
        mmDocument.fill(mmDocument.find('dialog-text'), mm.text(pointer, length));
        mmDocument.find('dialog').showModal();
    },
});
