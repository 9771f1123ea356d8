// What of the page a link brings along: tab, rank, chosen number and language; and what is said of a link.
import assert from "node:assert/strict";

import { browserTest, theEngine, useBrowser } from "./page.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";

browserTest("tab, rank and number go into the link, and come back from it", {}, async (app) => {
    await app.open(start);
    await app.click("Methods");
    await app.waitForHash(/&tab=methods&z=1$/);
    await app.click("Memory");
    await app.waitForHash(/^#v=1&m=deepseek-v3&z=1$/);
    await app.click("rank 3");
    await app.waitForHash(/&rank=3&/);
    const link = await app.hash();
    await app.open("#v=1&m=llama-2-7b&z=1");
    await app.open(link);
    await app.page.waitForFunction(() => /Rank 3, GiB/i.test(document.getElementById("mirror-text").textContent));
    assert.equal(await app.hash(), link);
    await app.page.evaluate((hash) => (location.hash = hash), "#v=1&m=deepseek-v3&tab=notes&z=1");
    await app.gone("bar 0");
    await app.page.goBack();
    await app.item("bar 0");
});

browserTest("a chosen number is explained again", {}, async (app) => {
    await app.open(start);
    await app.click("verdict headroom");
    await app.waitForHash(/&at=headroom&/);
    await app.reload();
    await app.item("Close");
    await app.click("Close");
    await app.waitForHash(/^((?!&at=).)*$/);
});

browserTest("a rank and a number that are not there", {}, async (app) => {
    await app.open("#v=1&m=deepseek-v3&tab=other&rank=99999&at=nothing&z=1");
    await app.assertShowsItsLink();
});

browserTest("the language only where the reader chose it, and for this visit", { locale: "en-GB" }, async (app) => {
    const language = () => app.page.evaluate(() => document.documentElement.lang);
    await app.open(start);
    await app.click("Language");
    await app.waitForHash(/&lang=zh&/);
    await app.page.evaluate(() => localStorage.clear());
    await app.open(start);
    assert.equal(await language(), "en");
    await app.open("#v=1&m=deepseek-v3&lang=zh&z=1");
    await app.page.waitForFunction(() => document.documentElement.lang === "zh-CN");
    await app.visit(start);
    await app.reload();
    assert.equal(await language(), "en", "nobody remembers it");
});

browserTest("notes on a link are one quiet line, and warnings stand out", {}, async (app) => {
    // What can't be used in the view is a note, a bad value of the scenario a warning.
    const link = "#v=1&m=deepseek-v3&rank=x&lang=fr&z=1";
    assert.deepEqual(
        JSON.parse(theEngine().decodeLink(link)).problems.map(({ severity }) => severity),
        ["info", "info"],
    );
    await app.open(link);
    const { y: above } = await app.item("verdict");
    assert.equal(await app.find("Dismiss"), undefined);
    await app.click("notes about this link");
    await app.page.waitForFunction(
        (y) => window.megamem.items().find(({ label }) => label === "verdict").y > y + 20,
        above,
    );
    await app.click("notes about this link");
    await app.page.waitForFunction(
        (y) => window.megamem.items().find(({ label }) => label === "verdict").y === y,
        above,
    );
    await app.open("#v=1&m=deepseek-v3&rank=x&lang=fr&tp=banana&z=1");
    await app.click("Dismiss");
    await app.gone("notes about this link");
});

browserTest("a number that another version gave is said", {}, async (app) => {
    const said = () => app.page.evaluate(() => document.getElementById("mirror-text").textContent);
    await app.open("#v=1&m=deepseek-v3&ver=0.0.1&was=1.00&z=1");
    assert.match(await said(), /This number was 1\.00 GiB with version 0\.0\.1\./);
    await app.open(start);
    assert.doesNotMatch(await said(), /This number was/);
});
