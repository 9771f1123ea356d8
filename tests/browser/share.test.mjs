// The link given to others: copied, as Markdown, by the system's share sheet, or by hand.
import assert from "node:assert/strict";

import { browserTest, scenarioOf, theEngine, useBrowser } from "./page.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";

browserTest("Copy link puts the address, edits included, on the clipboard", {}, async (app) => {
    await app.open(start);
    await app.fill("micro_batch_size", "2");
    await app.click("Share");
    await app.click("Copy link");
    const link = await app.waitForClipboard(/^http/);
    assert.equal(link, await app.page.evaluate(() => location.href));
    assert.match(link, /&mb=2&z=1$/);
});

browserTest("Markdown: a link with the number it shows, the verdict and the ranks", {}, async (app) => {
    await app.open(start);
    await app.click("Share");
    await app.click("Copy as Markdown");
    const text = await app.waitForClipboard(/^<http/);
    const [first, ...rest] = text.split("\n");
    const { version, scenario } = { version: theEngine().version(), scenario: scenarioOf(start) };
    assert.deepEqual(scenarioOf(first.slice(first.indexOf("#"), -1)), scenario);
    const needed = rest.join("\n").match(/needs ([\d.]+) GiB/)[1];
    assert.ok(first.includes(`&ver=${version}&was=${needed}&z=1>`), first);
    assert.match(rest.join("\n"), /^\| rank \|/m);
});

browserTest("the system's share sheet gets name and link", {}, async (app) => {
    await app.page.addInitScript(() => {
        navigator.share = async (data) => void (window.shared = data);
    });
    await app.open(start);
    await app.click("Share");
    await app.click("Send to…");
    await app.page.waitForFunction(() => window.shared);
    const shared = await app.page.evaluate(() => window.shared);
    assert.deepEqual(shared, { title: "DeepSeek-V3", url: app.page.url() });
});

browserTest("a refused clipboard: the link stands in a box", { permissions: [] }, async (app) => {
    await app.page.addInitScript(() => {
        Object.defineProperty(navigator, "clipboard", { value: undefined });
        document.execCommand = () => false;
    });
    await app.open(start);
    await app.click("Share");
    await app.click("Copy link");
    const box = app.page.locator("#copy-box textarea");
    await box.waitFor({ state: "visible" });
    assert.equal(await box.inputValue(), app.page.url());
    await app.page.locator("#copy-box button").click();
    await box.waitFor({ state: "hidden" });
    await app.click("Share");
    await app.click("Copy as Markdown");
    await box.waitFor({ state: "visible" });
    assert.match(await box.inputValue(), /^<http[^>]*>\n\n[^]*\| rank \|/);
    const selected = await box.evaluate((field) => field.selectionEnd - field.selectionStart);
    assert.equal(selected, (await box.inputValue()).length);
});
