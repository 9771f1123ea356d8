// The page as a folder for any web server: files named by their content, compressed beside, and a worker that keeps
// them for use without a network.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

import { minify } from "terser";

import { gzip } from "./gzip.mjs";

// Known by these names from outside: to people, to browsers, to the program's links.
const stable = /^(index\.html|sw\.js|manifest\.webmanifest|favicon\.svg|icon-\d+\.png|licences\.txt)$/;
const isCompressible = (name) => !name.endsWith(".png");

const hashOf = (...parts) => {
    const hash = createHash("sha256");
    for (const part of parts) hash.update(part);
    return hash.digest("hex").slice(0, 10);
};

/** {name: its name by content} of the top level; what is in a folder is named with the folder, as one. */
function namesOf(files) {
    const contents = new Map();
    for (const { name, bytes } of files) {
        const [top] = name.split("/");
        if (!stable.test(top)) contents.set(top, [...(contents.get(top) ?? []), name, bytes]);
    }
    return Object.fromEntries(
        [...contents].map(([top, parts]) => {
            const { name, ext } = path.parse(top);
            return [top, `${name}.${hashOf(...parts)}${ext}`];
        }),
    );
}

/** `text` with the one place of `from` replaced: a page that has changed must not pass unnoticed. */
export function replaceOnce(text, from, to) {
    const [before, after, more] = text.split(from);
    if (after === undefined || more !== undefined) throw new Error(`not once in the page: ${from}`);
    return before + to + after;
}

function pageWith(page, names, build) {
    const list = `<script type="application/json" id="names">${JSON.stringify(names)}</script>`;
    const links = '<link rel="manifest" href="manifest.webmanifest">\n<link rel="apple-touch-icon" href="icon-192.png">';
    let text = replaceOnce(page, "<html ", `<html data-build="${build}" `);
    text = replaceOnce(text, 'href="style.css"', `href="${names["style.css"]}"`);
    return replaceOnce(text, '<script src="boot.js">', `${links}\n${list}\n<script src="${names["boot.js"]}">`);
}

async function workerWith(source, build, hashed, plain) {
    const head = Object.entries({ build, hashed, plain }).map(
        ([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`,
    );
    return (await minify(head.join("") + source, { ecma: 2020, toplevel: true })).code;
}

const brotli = promisify(brotliCompress); // the slow part, on all processors

async function write(folder, name, bytes) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    if (!isCompressible(name)) return;
    writeFileSync(`${file}.gz`, gzip(bytes));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${file}.br`, await brotli(bytes, { params }));
}

/** `files` are those of the built page, `extras` those that only the bundle has. */
export async function writeSite(folder, page, files, extras) {
    const names = namesOf(files);
    const renamed = files
        .filter(({ name }) => name !== "index.html")
        .map(({ name, bytes }) => {
            const [top, ...rest] = name.split("/");
            return { name: [names[top] ?? top, ...rest].join("/"), bytes };
        });
    const others = extras.filter(({ name }) => stable.test(name) && name !== "sw.js");
    const all = [...renamed, ...others];

    const build = hashOf(page, ...all.flatMap(({ name, bytes }) => [name, bytes]));
    const hashed = all.filter(({ name }) => !stable.test(name)).map(({ name }) => name);
    const plain = all.filter(({ name }) => stable.test(name)).map(({ name }) => name);
    const source = extras.find(({ name }) => name === "sw.js").bytes.toString();

    const made = [
        { name: "index.html", bytes: Buffer.from(pageWith(page, names, build)) },
        { name: "sw.js", bytes: Buffer.from(await workerWith(source, build, hashed, plain)) },
    ];
    await Promise.all([...all, ...made].map(({ name, bytes }) => write(folder, name, bytes)));
}
