// Makes of the built page what is handed out: DIST/site for web servers and DIST/megamem-VERSION.html, all in one file.
// Run as `node bundle.mjs SITE DIST`; the same SITE gives the same bytes.
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { writeSite } from "./bundle_site.mjs";
import { writeWholePage } from "./bundle_whole.mjs";
import { gzip } from "./gzip.mjs";

// What the bundle has beside the page: worker, manifest, icons.
const extras = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../web/bundle");

/** The files of a folder as {name, bytes}, in the order of their names. */
function filesOf(folder) {
    return readdirSync(folder, { recursive: true })
        .map((name) => name.split(path.sep).join("/"))
        .filter((name) => statSync(path.join(folder, name)).isFile())
        .sort()
        .map((name) => ({ name, bytes: readFileSync(path.join(folder, name)) }));
}

function say(name, bytes, note = "") {
    console.log(`${name.padEnd(24)}${Math.ceil(bytes / 1000).toLocaleString("en").padStart(8)} KB${note}`);
}

const [site, dist] = process.argv.slice(2);
if (!dist) {
    console.error("usage: bundle.mjs SITE DIST");
    process.exit(2);
}
const files = filesOf(site);
const page = files.find((file) => file.name === "index.html").bytes.toString();
const version = page.match(/data-version="([^"]+)"/)[1];

const folder = path.join(dist, "site");
rmSync(folder, { recursive: true, force: true });
await writeSite(folder, page, files, filesOf(extras));
const wholeName = `megamem-${version}.html`;
const whole = writeWholePage(path.join(dist, wholeName), page, files);

const plain = filesOf(folder).filter(({ name }) => !/\.(gz|br)$/.test(name));
const isFirst = ({ name }) => /^(index\.html|style\.|boot\.|megamem\.)/.test(name);
const compressed = plain.filter(isFirst).reduce((sum, { bytes }) => sum + gzip(bytes).length, 0);
say("site/", plain.reduce((sum, { bytes }) => sum + bytes.length, 0), `; first use ${Math.ceil(compressed / 1000)} KB by gzip`);
say(wholeName, whole);
