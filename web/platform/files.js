// Dropped, picked and downloaded files.

mergeInto(LibraryManager.library, {
    $mmFiles__deps: ['$mm'],
    $mmFiles: {
        // Bytes. What is larger is cut just above it, so that the reader refuses it as too large.
        largest: 5000000,

        save: function (name, blob) {
            var link = document.createElement('a');
            link.href = URL.createObjectURL(blob);
            link.download = name;
            link.click();
            setTimeout(function () { URL.revokeObjectURL(link.href); }, 10000);
        },

        tell: function (name, text) {
            mm.send(name);
            _mm_on_file_name();
            mm.send(text);
            _mm_on_file_text();
        },

        read: function (file) {
            if (!file) return;
            var tell = function (text) { mmFiles.tell(file.name || 'file', text); };
            file.slice(0, mmFiles.largest + 1).text().then(tell, function () { tell(''); });
        },
    },

    mm_js_watch_files__deps: ['$mm', '$mmFiles'],
    mm_js_watch_files: function () {
        // Without these the browser would leave the page and show the file.
        mm.on(window, 'dragover', function (event) { event.preventDefault(); });
        mm.on(window, 'drop', function (event) {
            event.preventDefault();
            mmFiles.read(event.dataTransfer && event.dataTransfer.files[0]);
        });
    },

    mm_js_pick_file__deps: ['$mmFiles'],
    mm_js_pick_file: function () {
        var input = document.createElement('input');
        input.type = 'file';
        input.onchange = function () { mmFiles.read(input.files[0]); };
        input.click();
    },

    // A box of the page's own: phones offer to paste into nothing else.
    mm_js_show_paste_box__deps: ['$mm', '$mmFiles'],
    mm_js_show_paste_box: function () {
        var find = function (id) { return document.getElementById(id); };
        var box = find('paste-box');
        var field = find('paste-field');
        field.value = '';
        box.onclose = function () { mm.focusCanvas(); };
        find('paste-close').onclick = function () { box.close(); };
        find('paste-read').onclick = function () {
            var text = field.value.slice(0, mmFiles.largest + 1);
            box.close();
            if (text.trim()) mmFiles.tell('', text);
        };
        box.showModal();
        field.focus();
    },

    mm_js_download__deps: ['$mm', '$mmFiles'],
    mm_js_download: function (name, nameLength, type, typeLength, text, textLength) {
        var fullType = mm.text(type, typeLength) + ';charset=utf-8';
        mmFiles.save(mm.text(name, nameLength), new Blob([mm.text(text, textLength)], { type: fullType }));
    },

    // Twice the size, for screens with many pixels. A data address, as the page's security policy allows.
    mm_js_download_png__deps: ['$mm', '$mmFiles'],
    mm_js_download_png: function (name, nameLength, svg, svgLength) {
        var fileName = mm.text(name, nameLength);
        var image = new Image();
        image.onload = function () {
            var canvas = document.createElement('canvas');
            canvas.width = image.width * 2;
            canvas.height = image.height * 2;
            canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
            canvas.toBlob(function (blob) { mmFiles.save(fileName, blob); }, 'image/png');
        };
        image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(mm.text(svg, svgLength));
    },
});
