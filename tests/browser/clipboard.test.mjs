// Copy, cut and paste between the page and other programs.
import assert from "node:assert/strict";

import { browserTest, scenarioOf, useBrowser } from "./page.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";
const nameOf = async (app) => scenarioOf(await app.hash()).name;

browserTest("a text field: copied from, cut from, pasted into", {}, async (app) => {
    await app.open(start);
    await app.click("name");
    await app.press("Control+a");
    await app.press("Control+c");
    await app.waitForClipboard(/^DeepSeek-V3$/);
    assert.equal(await app.hash(), start, "copying changes nothing");

    await app.paste("a 名 & more"); // all is still selected
    await app.waitForHash(/more/);
    assert.equal(await nameOf(app), "a 名 & more");
    await app.paste("!");
    await app.waitForHash(/more%21/);

    await app.press("Control+a");
    await app.press("Control+x");
    await app.waitForHash(/&n=&/);
    await app.waitForClipboard(/^a 名 & more!$/);
    await app.press("Control+v");
    await app.press("Control+v");
    await app.waitForHash(/more%21a/);
    assert.equal(await nameOf(app), "a 名 & more!a 名 & more!");
    assert.equal(await app.find("Apply"), undefined, "a field's text is no script");
});

browserTest("a script is copied, and pasting it brings the scenario back", {}, async (app) => {
    const edited = "#v=1&m=deepseek-v3&mb=2&z=1";
    await app.open(edited);
    await app.click("Export");
    await app.click("copy megatron");
    const script = await app.waitForClipboard(/^#!\/bin\/bash/);
    assert.match(script, /--num-layers 61\n/);
    assert.match(script, /--micro-batch-size 2\n/);
    await app.open("#v=1&m=llama-3.1-70b&z=1");
    await app.press("Control+v");
    await app.click("Apply");
    await app.waitForHash(/&l=61&/);
    assert.deepEqual(scenarioOf(await app.hash()), scenarioOf(edited));
});

browserTest("what is pasted is for the page, wherever text was selected before", {}, async (app) => {
    await app.open(start);
    await app.press("F8");
    await app.settle(); // a frame that is still to come would take the focus, and the selection with it
    await app.page.evaluate(() => getSelection().selectAllChildren(document.getElementById("mirror-title")));
    await app.press("Control+c");
    await app.waitForClipboard(/^DeepSeek-V3$/);
    await app.press("F8");
    await app.paste("--num-layers 12 --hidden-size 768");
    await app.item("take num_layers");
    await app.press("Escape");
    await app.gone("take num_layers");
});

browserTest("a middle click onto the page pastes nothing", {}, async (app) => {
    await app.open(start);
    await app.page.evaluate(() => {
        window.pasted = 0;
        document.addEventListener("paste", () => window.pasted++);
    });
    const middleClick = async (label) => {
        const { x, y, w, h } = await app.item(label);
        await app.page.mouse.click(x + w / 2, y + h / 2, { button: "middle" });
        await app.settle();
    };
    await middleClick("bar 0");
    await app.click("name");
    await app.press("Control+v");
    await app.page.waitForFunction(() => window.pasted > 0);
    assert.equal(await app.page.evaluate(() => window.pasted), 1, "only by the key");
});

browserTest("a box over the page keeps the clipboard to itself", {}, async (app) => {
    await app.open(start);
    await app.press("F1");
    await app.page.locator("#dialog").waitFor();
    await app.paste("--num-layers 12 --hidden-size 768");
    await app.press("Escape");
    await app.page.locator("#dialog").waitFor({ state: "hidden" });
    await app.settle();
    assert.equal(await app.find("take num_layers"), undefined);
});
