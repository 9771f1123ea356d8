// Every text of the page and of the engine has its Chinese: web/text/zh. What the page really asks for is the
// subject of tests/browser/chinese.test.mjs.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { loadModule, root } from "./support.mjs";

const folder = path.join(root, "web/text/zh");
const dictionary = new Map(
    readdirSync(folder).flatMap((name) => Object.entries(JSON.parse(readFileSync(path.join(folder, name), "utf8")))),
);

function filesOf(place, ending) {
    return readdirSync(path.join(root, place), { recursive: true })
        .filter((name) => ending.test(name))
        .map((name) => path.join(place, name));
}

/** The string literals of a C++ file; those that stand side by side are one. */
function literalsOf(file) {
    const source = readFileSync(path.join(root, file), "utf8")
        .replace(/^\s*#.*$/gm, "")
        .replace(/("(?:\\.|[^"\\\n])*")|\/\/[^\n]*/g, (_, literal) => literal ?? "");
    return [...source.matchAll(/"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*/g)].map(([literals]) =>
        [...literals.matchAll(/"((?:\\.|[^"\\\n])*)"/g)]
            .map(([, text]) => text.replace(/\\n/g, "\n").replace(/\\(.)/g, "$1"))
            .join(""),
    );
}

// Between the holes and the ends of sentences: the engine puts texts together there.
const piecesOf = (text) => text.split(/\{[^}]*\}|[;.] |\n/).map((piece) => piece.replace(/^[\s;,.:()]+|[\s;,.:)]+$/g, ""));
const known = [...dictionary.keys()].join("\n");
const patterns = [...dictionary.keys()]
    .filter((key) => key.includes("{}") && key.replace(/\{\}/g, "").length >= 10)
    .map((key) => new RegExp(`^${key.split("{}").map((part) => part.replace(/[^\w\s]/g, "\\$&")).join(".+")}$`));
const isKnown = (text) => known.includes(text) || patterns.some((pattern) => pattern.test(text));

test("a text and its Chinese have the same holes", () => {
    for (const [english, chinese] of dictionary) {
        const holes = english.match(/\{\}/g)?.length ?? 0;
        const filled = chinese.match(/\{\d?!?\}/g) ?? [];
        const numbered = filled.filter((hole) => /\d/.test(hole)).map((hole) => Number(hole[1]));
        if (holes > 0) assert.equal(filled.length, holes, english);
        if (numbered.length > 0) assert.deepEqual(numbered.sort(), [...Array(holes).keys()], english);
    }
});

test("no text is cut off or empty", () => {
    for (const [english, chinese] of dictionary) {
        assert.ok(chinese.trim(), english);
        if (/\.$/.test(english) && /[a-z] [a-z]/.test(english)) assert.match(chinese, /[。）]$/, english);
    }
});

test("every field and every name of the field table", async () => {
    for (const field of JSON.parse((await loadModule()).fields())) {
        for (const part of ["label", "help", "unit", "group"]) {
            if (field[part] !== "") assert.ok(dictionary.has(field[part]), `${field.key}: ${field[part]}`);
        }
    }
});

test("every text of the page's own", () => {
    const texts = literalsOf("web/text/text.h");
    assert.ok(texts.length > 90);
    for (const text of texts) {
        const whole = [text, `${text.trim()} {}`, `{} ${text}`];
        assert.ok(whole.some((key) => dictionary.has(key)), text);
    }
});

test("every text of the page around the canvas", () => {
    const shell = readFileSync(path.join(root, "web/shell.html"), "utf8");
    const body = shell.slice(shell.indexOf("<body>")).replace(/<noscript>.*<\/noscript>/s, "");
    const labels = [...body.matchAll(/aria-label="([^"]*)"/g)].map(([, text]) => text);
    const texts = body.replace(/<[^>]*>/g, "\n\n").split(/\n\n+/);
    for (const text of [...labels, ...texts].map((each) => each.trim().replace(/\s+/g, " "))) {
        if (/\w/.test(text)) assert.ok(dictionary.has(text), text);
    }
    const boot = readFileSync(path.join(root, "web/static/boot.js"), "utf8");
    const messages = boot.slice(boot.indexOf("var texts = {"), boot.indexOf("};", boot.indexOf("var texts = {")));
    for (const [, joined] of messages.matchAll(/\w+: ('(?:[^'\n]|'\s*\+\s*')*')/g)) {
        const text = joined.replace(/'\s*\+\s*'/g, "").slice(1, -1);
        assert.ok(dictionary.has(text), text);
    }
});

// Neither sources, nor formulas, nor the words of foreign texts that readers look for.
const notShown = [
    /\.(py|cu|cuh|hpp|md)\b/,
    /^(lines? \d|calculator: EDP =|num_dense_layers is ours)/,
    / [×/] /,
    /^(version https:|max allocated|elapsed time per|megatron (sft|pt))/,
    /^(of model_type|multiple_of and|async def)\b/, // names of places in a foreign text
];
// What the page doesn't show: lists of names, and the command line's own.
const notTexts = /explain_assumptions\.cpp|measured_runs\.cpp/;

const places = [
    ["engine/accuracy", /^(evidence|features)\.cpp$/],
    ["engine/import", /\.(cpp|h)$/],
    ["engine/link", /\.cpp$/],
    ["engine/memory", /\.(cpp|h)$/],
    ["engine/model", /\.cpp$/],
    ["engine/pipeline", /\.cpp$/],
    ["engine/scenario", /^(field|defaults|validation|layer_pattern)\.cpp$/],
    ["web/panels", /\.cpp$/],
    ["web/app", /\.cpp$/],
];

test("every sentence in the sources", () => {
    const missing = [];
    let seen = 0;
    for (const file of places.flatMap(([place, ending]) => filesOf(place, ending))) {
        if (notTexts.test(file)) continue;
        for (const text of literalsOf(file).flatMap(piecesOf)) {
            if (!/[a-z]{2,} [a-z]{2,}/.test(text) || notShown.some((each) => each.test(text))) continue;
            seen++;
            if (!isKnown(text)) missing.push(`${file}: ${text}`);
        }
    }
    assert.ok(seen > 500, `${seen} sentences`);
    assert.deepEqual(missing, []);
});

// Past the widgets, a text would stay English.
test("panels draw text through the widgets", () => {
    const bare = /ImGui::(Button|SmallButton|RadioButton|Text\w*|LabelText|BulletText|SeparatorText|MenuItem|SetTooltip|CalcTextSize)\(/;
    // The code of an explanation, and labels that hold what somebody wrote.
    const allowed = { "web/panels/explain.cpp": 1, "web/panels/saved.cpp": 1, "web/panels/top_bar.cpp": 1 };
    for (const file of [...filesOf("web/panels", /\.cpp$/), ...filesOf("web/app", /\.cpp$/)]) {
        const lines = readFileSync(path.join(root, file), "utf8").split("\n");
        const found = lines.filter((line) => bare.test(line));
        assert.ok(found.length <= (allowed[file] ?? 0), `${file}: ${found.join("\n")}`);
        const drawn = lines.filter((line) => /AddText\(/.test(line));
        assert.ok(drawn.length <= (file === "web/panels/explain.cpp" ? 1 : 0), `${file}: ${drawn.join("\n")}`);
    }
});
