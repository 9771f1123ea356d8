// What the command line needs of Node: files, and its output as the bytes that they are. Emscripten's own output
// goes through texts and lines.
// This file is read by emcc: write keys with `function`, and do not begin a line with '#'.

mergeInto(LibraryManager.library, {
    $node__postset: "node.fs = require('fs');",
    $node: {
        fs: null,

        // Another process may have left a pipe or a terminal in the mode in which it says "later" and not waits.
        patiently: function (call) {
            for (;;) {
                try {
                    return call();
                } catch (error) {
                    if (error.code !== 'EAGAIN') throw error;
                    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
                }
            }
        },

        // Blocks of a file up to the one that passes the limit. A pipe gives a block in pieces.
        read: function (descriptor, limit) {
            var blocks = [];
            for (var size = 0, isWhole = true; isWhole && size <= limit;) {
                var block = Buffer.alloc(1 << 16);
                var filled = node.fill(descriptor, block);
                isWhole = filled === block.length;
                blocks.push(block.subarray(0, filled));
                size += filled;
            }
            return Buffer.concat(blocks);
        },

        fill: function (descriptor, block) {
            for (var filled = 0; filled < block.length;) {
                var count = node.patiently(function () {
                    return node.fs.readSync(descriptor, block, filled, block.length - filled, null);
                });
                if (count === 0) break;
                filled += count;
            }
            return filled;
        },

        // Whole, though a pipe takes a piece at a time.
        write: function (descriptor, bytes) {
            for (var written = 0; written < bytes.length;) {
                written += node.patiently(function () {
                    return node.fs.writeSync(descriptor, bytes, written);
                });
            }
        },

        answer: function (string, bytes) {
            var room = _megamem_room(string, bytes.length);
            HEAPU8.set(bytes, room); // read HEAPU8 after the call, since that may have grown the memory
        },

        // In the words of the C library, as the native program says it.
        reason: function (error) {
            if (error.code === 'EISDIR') return "can't be read (is it a folder?)";
            var known = require('util').getSystemErrorMap().get(error.errno);
            return known ? known[1].charAt(0).toUpperCase() + known[1].slice(1) : error.message;
        },
    },

    megamem_read_file__deps: ['$node'],
    megamem_read_file: function (path, limit, text) {
        path = UTF8ToString(path);
        var descriptor = -1;
        try {
            descriptor = path === '-' ? 0 : node.fs.openSync(path, 'r');
            node.answer(text, node.read(descriptor, limit));
            return true;
        } catch (error) {
            node.answer(text, Buffer.from(node.reason(error)));
            return false;
        } finally {
            if (descriptor > 0) node.fs.closeSync(descriptor);
        }
    },

    megamem_write_file__deps: ['$node'],
    megamem_write_file: function (path, text, size, reason) {
        try {
            node.fs.writeFileSync(UTF8ToString(path), HEAPU8.subarray(text, text + size));
            return true;
        } catch (error) {
            node.answer(reason, Buffer.from(node.reason(error)));
            return false;
        }
    },

    // In place of Emscripten's: where all of stdio's output arrives.
    fd_write__deps: ['$node'],
    fd_write__postset: '',
    fd_write__sig: 'iiiii',
    fd_write: function (descriptor, pieces, count, written) {
        var sum = 0;
        try {
            for (var i = 0; i < count; ++i, pieces += 8) {
                var start = HEAPU32[pieces >> 2];
                var size = HEAPU32[(pieces + 4) >> 2];
                node.write(descriptor, HEAPU8.subarray(start, start + size));
                sum += size;
            }
        } catch (error) {
            return 29; // EIO: the reader has gone, say, and the exit status is all that counts
        }
        HEAPU32[written >> 2] = sum;
        return 0;
    },
});
