// Every colour that text is drawn in is readable on every ground that it is drawn on: WCAG 2.1's contrast of at
// least 4.5 to 1, in both themes, of the canvas and of the page around it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { root } from "./support.mjs";

const theme = readFileSync(path.join(root, "web/style/theme.cpp"), "utf8");
const style = readFileSync(path.join(root, "web/static/style.css"), "utf8");

// Relative luminance and contrast as WCAG 2.1 defines them.
function luminance(hex) {
    const [r, g, b] = [0, 2, 4].map((at) => {
        const c = parseInt(hex.slice(at, at + 2), 16) / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(one, other) {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
}

function palette(name) {
    const body = theme.match(new RegExp(`constexpr Palette ${name} = \\{([^}]*)\\}`))[1];
    return Object.fromEntries([...body.matchAll(/\.(\w+) = rgb\(0x(\w{6})\)/g)].map(([, key, hex]) => [key, hex]));
}

const grounds = ["page", "panel", "field", "field_hover", "accent_soft"];
const pairs = [
    ...["text", "muted", "faint", "accent", "warn", "bad"].flatMap((ink) => grounds.map((ground) => [ink, ground])),
    // Pills, the main button, and a field whose text can't be used.
    ["good", "good_soft"],
    ["warn", "warn_soft"],
    ["bad", "bad_soft"],
    ["text", "bad_soft"],
    ["accent_text", "accent"],
];

// What is no text but has to be seen: the focus ring, the mark of a changed field, the capacity line.
const marks = [
    ["accent", "panel"],
    ["accent", "page"],
    ["accent", "field"],
    ["bad", "panel"],
];

test("the contrast itself: black on white is 21, and WCAG's #767676 on white just passes", () => {
    assert.equal(contrast("000000", "ffffff").toFixed(2), "21.00");
    assert.equal(contrast("767676", "ffffff").toFixed(2), "4.54");
});

for (const name of ["kLight", "kDark"]) {
    const colours = palette(name);
    test(`text of the canvas, ${name}`, () => {
        const poor = pairs
            .map(([ink, ground]) => [ink, ground, contrast(colours[ink], colours[ground])])
            .filter(([, , found]) => !(found >= 4.5))
            .map(([ink, ground, found]) => `${ink} on ${ground}: ${found.toFixed(2)}`);
        assert.deepEqual(poor, []);
    });
    test(`marks of the canvas, ${name}`, () => {
        for (const [mark, ground] of marks) {
            const found = contrast(colours[mark], colours[ground]);
            assert.ok(found >= 3, `${mark} on ${ground}: ${found.toFixed(2)}`);
        }
    });
}

test("text around the canvas", () => {
    const sets = [...style.matchAll(/\{([^{}]*--back:[^{}]*)\}/g)].map(([, body]) =>
        Object.fromEntries([...body.matchAll(/--(\w+): #(\w{6})/g)].map(([, key, hex]) => [key, hex])),
    );
    assert.equal(sets.length, 3); // light, dark by the browser, dark by choice
    assert.deepEqual(sets[1], sets[2]);
    for (const set of sets) {
        for (const ink of ["text", "quiet", "accent"]) {
            for (const ground of ["back", "panel"]) {
                const found = contrast(set[ink], set[ground]);
                assert.ok(found >= 4.5, `${ink} on ${ground}: ${found.toFixed(2)}`);
            }
        }
    }
});
