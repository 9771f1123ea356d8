// Exports, downloaded; see clipboard.test.mjs for those that are copied.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { browserTest, useBrowser } from "./page.mjs";
import { decodePng } from "./png.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&mb=2&z=1";

async function download(app, label) {
    await app.click("Export");
    await app.item(label);
    const [file] = await Promise.all([app.page.waitForEvent("download"), app.click(label)]);
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

browserTest("CSV, Markdown and SVG are files", {}, async (app) => {
    await app.open(start);
    const csv = await download(app, "download csv");
    assert.equal(csv.name, "report.csv");
    const [total] = await app.totals();
    assert.ok(csv.bytes.toString().includes(`0,,total,total,${total}\r\n`));
    const markdown = await download(app, "download markdown");
    assert.match(markdown.bytes.toString(), /^\*\*DeepSeek-V3\*\*/);
    const svg = await download(app, "download svg");
    assert.match(svg.bytes.toString(), /^<svg /);
});

browserTest("the bars are a PNG", {}, async (app) => {
    await app.open(start);
    const { name, bytes } = await download(app, "download png");
    assert.equal(name, "memory.png");
    const picture = decodePng(bytes);
    assert.equal(picture.width, 1920);
    assert.ok(picture.height > 400);
});
