// Reference pictures: how the page looked when somebody last looked at it and found it right. They are in pictures/.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import pixelmatch from "pixelmatch";

import { root } from "../node/support.mjs";
import { decodePng, encodePng } from "./png.mjs";

const references = path.join(root, "tests/browser/pictures");
const failures = path.join(root, "build/pictures");
const update = process.env.UPDATE_PICTURES === "1";

/**
 * When two pixels differ: by more than a twentieth of the way from black to white, as the eye sees it. Nobody sees
 * less in a pixel, and the references' palettes of 256 colours need some room.
 */
const threshold = 0.05;

/**
 * When two pictures differ: by more than so many pixels of any square of this size, in which a word stands. Counted
 * by square, a small word that is missing weighs the same in a small and in a large picture. The references' palettes
 * make up to 21, and a line that a renderer puts one pixel beside, as another one does (llvmpipe in place of the
 * SwiftShader that tests use), 34. A word of two letters, "DP", makes 65, a part of a bar in another colour 250, a
 * column that moved by a pixel 350.
 */
const square = 32;
const mostInSquare = 48;

/** {differs, inSquare, picture} of two pictures: the worst square's count, and where they differ in red. */
export function compare(expected, actual) {
    const { width, height } = actual;
    if (expected.width !== width || expected.height !== height) return { differs: true, inSquare: Infinity };
    const data = Buffer.alloc(actual.data.length);
    // Smoothed edges count too: letters consist of little else.
    const options = { threshold, includeAA: true, windowSize: square };
    const inSquare = pixelmatch(expected.data, actual.data, data, width, height, options);
    return { differs: inSquare > mostInSquare, inSquare, picture: { width, height, data } };
}

/**
 * Fails when the picture differs from the reference of this name, and leaves both the picture and the difference in
 * build/pictures. With UPDATE_PICTURES=1, the reference is replaced instead; one that still holds stays as it is.
 */
export function assertLooksAs(name, actual) {
    const reference = path.join(references, `${name}.png`);
    const shown = path.join(failures, `${name}.png`);
    const marked = path.join(failures, `${name}.difference.png`);
    for (const file of [shown, marked]) rmSync(file, { force: true });
    const expected = existsSync(reference) && decodePng(readFileSync(reference));
    const result = expected ? compare(expected, actual) : { differs: true, inSquare: Infinity };
    if (!result.differs) return;
    if (update) return writeReference(reference, actual);
    mkdirSync(failures, { recursive: true });
    writeFileSync(shown, encodePng(actual));
    if (result.picture) writeFileSync(marked, encodePng(result.picture));
    const seen = (file) => path.relative(root, file);
    assert.fail(
        `the page does not look as in ${seen(reference)}: ` +
            (expected
                ? `${result.inSquare} pixels of a square of ${square} x ${square} differ, ${mostInSquare} may. `
                : "there is no such file. ") +
            `Compare ${seen(shown)}${result.picture ? ` and ${seen(marked)}` : ""}. If the page is right: ` +
            "UPDATE_PICTURES=1 node --test tests/browser/pictures.test.mjs",
    );
}

// A palette makes the files a third as large; Debian's pngquant chooses it. Without dithering, as that adds noise.
function writeReference(file, picture) {
    const options = ["--nofs", "--speed", "1", "--strip", "256", "-"];
    const run = spawnSync("pngquant", options, { input: encodePng(picture), maxBuffer: 1 << 26 });
    assert.equal(run.status, 0, `pngquant is needed to write ${file}: ${run.error ?? run.stderr}`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, run.stdout);
}
