// The page as one file that browsers open from the disk: style and first script as they are, all other files as base64
// of gzip, and a policy that names each script by its hash and allows no request at all.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { replaceOnce } from "./bundle_site.mjs";
import { gzip } from "./gzip.mjs";

const sha256 = (bytes) => `'sha256-${createHash("sha256").update(bytes).digest("base64")}'`;

// In the page itself, or of no use there: the worker of dist/site and what asks for it.
const isPacked = (name) => !/^(index\.html|style\.css|boot\.js|offline\.js|favicon\.svg)$/.test(name);

function policyOf(style, scripts) {
    return [
        "default-src 'none'",
        `script-src 'wasm-unsafe-eval' ${scripts.map(sha256).join(" ")}`,
        `style-src ${sha256(style)}`,
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ].join("; ");
}

// `</script` and `</style` would end the element; nothing in them has to hold that.
function element(tag, text) {
    if (text.toLowerCase().includes(`</${tag}`)) throw new Error(`</${tag} inside`);
    return `<${tag}>${text}</${tag}>`;
}

/** Returns the size of the file. */
export function writeWholePage(file, page, files) {
    const bytesOf = (wanted) => files.find(({ name }) => name === wanted).bytes;
    const style = bytesOf("style.css").toString();
    const boot = bytesOf("boot.js").toString();
    const later = files.filter(({ name }) => isPacked(name));
    const scripts = [Buffer.from(boot), ...later.filter(({ name }) => name.endsWith(".js")).map(({ bytes }) => bytes)];
    const packed = later.map(({ name, bytes }) => {
        const text = gzip(bytes).toString("base64");
        return `<script type="application/gzip" data-file="${name}">${text}</script>\n`;
    });
    const icon = `data:image/svg+xml;base64,${bytesOf("favicon.svg").toString("base64")}`;

    let text = replaceOnce(page, "<html ", "<html data-whole ");
    text = replaceOnce(text, page.match(/default-src [^"]*/)[0], policyOf(style, scripts));
    text = replaceOnce(text, 'href="favicon.svg"', `href="${icon}"`);
    text = replaceOnce(text, '<link rel="stylesheet" href="style.css">', element("style", style));
    text = replaceOnce(text, '<script src="boot.js"></script>', element("script", boot));
    text = replaceOnce(text, "</body>", `${packed.join("")}</body>`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return Buffer.byteLength(text);
}
