// What a bundle is made of, without a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { root } from "../node/support.mjs";
import { makeBundle, temporaryFolder, wholePage } from "./support.mjs";

const dist = makeBundle();
const site = path.join(dist, "site");
const read = (name) => readFileSync(path.join(site, name));
const names = readdirSync(site, { recursive: true }).filter((name) => statSync(path.join(site, name)).isFile());
const plain = names.filter((name) => !/\.(gz|br)$/.test(name));
const policyOf = (html) => html.match(/Content-Security-Policy"\s+content="([^"]*)"/)[1];

function archive(from, file) {
    const whole = wholePage(from);
    const entries = [`README.txt=${path.join(root, "web/bundle/README.txt")}`, `site=${path.join(from, "site")}`];
    const packer = path.join(root, "scripts/lib/zip.py");
    execFileSync("python3", [packer, file, "megamem", ...entries, `${path.basename(whole)}=${whole}`]);
    return readFileSync(file);
}

test("every file that can be smaller is there smaller, in two ways", () => {
    const compressible = plain.filter((name) => !name.endsWith(".png"));
    assert.ok(compressible.length > 100);
    for (const name of compressible) {
        assert.ok(gunzipSync(read(`${name}.gz`)).equals(read(name)), `${name}.gz`);
        assert.ok(brotliDecompressSync(read(`${name}.br`)).equals(read(name)), `${name}.br`);
    }
});

test("the first use is 400 KB at most, compressed by gzip", () => {
    const first = plain.filter((name) => /^(index\.html|style\.|boot\.|megamem\.)/.test(name));
    assert.equal(first.length, 5);
    const bytes = first.reduce((sum, name) => sum + statSync(path.join(site, `${name}.gz`)).size, 0);
    assert.ok(bytes <= 400 * 1024, `${bytes} bytes`);
});

test("the page names no file that isn't there, and no address but its own", () => {
    const html = read("index.html").toString();
    const links = [...html.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, link]) => link);
    assert.ok(links.length >= 5);
    for (const link of links) assert.ok(existsSync(path.join(site, link)), link);
    const renamed = JSON.parse(html.match(/id="names">([^<]*)</)[1]);
    for (const name of Object.values(renamed)) assert.ok(existsSync(path.join(site, name)), name);
    assert.doesNotMatch(html, /(href|src)="(\/|\w+:)/);
    const manifest = JSON.parse(read("manifest.webmanifest"));
    for (const { src } of manifest.icons) assert.ok(existsSync(path.join(site, src)), src);
});

test("the worker keeps all that is there", () => {
    const worker = read("sw.js").toString();
    for (const name of plain) if (name !== "sw.js") assert.ok(worker.includes(`"${name}"`), name);
});

test("the policies allow neither eval nor what stands in the page unnamed", () => {
    const whole = readFileSync(wholePage(dist), "utf8");
    for (const html of [read("index.html").toString(), whole]) {
        assert.doesNotMatch(policyOf(html), /unsafe-inline|(?<!wasm-)unsafe-eval/);
        assert.match(policyOf(html), /default-src 'none'/);
        assert.doesNotMatch(html, /\sstyle=|\son\w+=/);
    }
    assert.doesNotMatch(policyOf(whole), /connect-src|'self'|https?:/);
    for (const [, text] of whole.matchAll(/<(?:style|script)>([^]*?)<\/(?:style|script)>/g)) {
        assert.ok(policyOf(whole).includes(createHash("sha256").update(text).digest("base64")));
    }
});

test("links to the page show what it is for", () => {
    const html = read("index.html").toString();
    for (const name of ["og:title", "og:description"]) assert.match(html, new RegExp(`property="${name}"\\s+content="[^"]{20,}"`));
    assert.match(html, /name="description"\s+content="[^"]{50,160}"/);
});

test("the same page gives the same bytes, and no path of this machine is in them", () => {
    const again = makeBundle();
    const [one, other] = [dist, again].map((from) => archive(from, path.join(temporaryFolder(), "megamem.zip")));
    assert.ok(one.equals(other));
    for (const name of plain) assert.ok(!read(name).includes(root), name);
});
