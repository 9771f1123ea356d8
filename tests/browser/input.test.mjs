// Input beyond plain keys and clicks: composed text, touch, wheel, cursors, odd pixel ratios.
import assert from "node:assert/strict";

import { browserTest, scenarioOf, useBrowser } from "./page.mjs";
import { countHues } from "./png.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";
const nameOf = async (app) => scenarioOf(await app.hash()).name;
const focused = (app) => app.page.evaluate(() => document.activeElement.id);

browserTest("Chinese is composed: shown while it is, taken once at its end", {}, async (app) => {
    await app.open(start);
    await app.click("name");
    await app.press("Control+A");
    await app.press("Delete");
    assert.equal(await focused(app), "text-input");
    for (const text of ["n", "ni", "nihao"]) await app.hands.compose(text);
    const composing = app.page.locator("#text-input.composing");
    await composing.waitFor();
    assert.equal(await composing.inputValue(), "nihao");
    assert.equal(await composing.evaluate((element) => getComputedStyle(element).opacity), "1");
    const caret = await composing.boundingBox();
    const field = await app.find("name");
    assert.ok(caret.x >= field.x - 1 && caret.x <= field.x + field.w, "it is composed at the caret");
    await app.hands.commit("你好");
    await app.waitForHash(/&n=%/);
    assert.equal(await nameOf(app), "你好");
    assert.equal(await app.page.locator("#text-input.composing").count(), 0);
    // A composition that is given up leaves nothing.
    await app.hands.compose("ma");
    await app.hands.compose("");
    await app.type("!");
    await app.waitForHash(/%21&/);
    assert.equal(await nameOf(app), "你好!");
});

browserTest("the wheel scrolls what is under it, by lines as by pixels", { height: 500 }, async (app) => {
    await app.open(start);
    // Where an item of the form and one of the results are; -1000 once out of sight.
    const heights = async () => {
        await app.settle();
        const labels = ["num_layers", "rank 0"];
        return Promise.all(labels.map(async (label) => (await app.find(label))?.y ?? -1000));
    };
    const rank = await app.item("rank 0");
    const [field, row] = await heights();
    await app.page.mouse.move(150, 300);
    await app.page.mouse.wheel(0, 100);
    const [fieldAfter, rowAfter] = await heights();
    assert.ok(fieldAfter < field - 20, "the form scrolls");
    assert.equal(rowAfter, row, "the results don't");
    await app.page.mouse.move(rank.x + 20, 400);
    await app.page.mouse.wheel(0, 100);
    const [fieldThen, rowThen] = await heights();
    assert.ok(rowThen < row - 20, "the results scroll");
    assert.equal(fieldThen, fieldAfter, "the form doesn't");
    await app.page.mouse.wheel(0, -100);
    assert.equal((await heights())[1], row);

    // Mice turn by lines in Firefox, which its driver has no way to say.
    const turn = (deltaMode, deltaY) =>
        app.page.evaluate(
            (turned) => document.getElementById("canvas").dispatchEvent(new WheelEvent("wheel", turned)),
            { deltaMode, deltaY, cancelable: true },
        );
    assert.equal(await turn(1, 3), false, "the page itself must not scroll");
    assert.equal((await heights())[1], rowThen, "three lines are a notch, as a hundred pixels are");
});

browserTest("cursors say what is under them", {}, async (app) => {
    await app.open(start);
    const cursor = async (label) => {
        const { x, y, w, h } = await app.item(label);
        await app.page.mouse.move(x + w / 2, y + h / 2);
        await app.settle();
        return app.page.evaluate(() => getComputedStyle(document.getElementById("canvas")).cursor);
    };
    assert.equal(await cursor("name"), "text");
    assert.equal(await cursor("Presets"), "default");
    assert.equal(await cursor("attention.activation"), "pointer");
});

const phone = { width: 390, height: 844, hasTouch: true, isMobile: true };

browserTest("a phone's keyboard: a tap on a field focuses the text input, within the tap", phone, async (app) => {
    await app.open(start);
    const inputs = await app.item("Inputs");
    await app.page.touchscreen.tap(inputs.x + 10, inputs.y + inputs.h / 2);
    const search = await app.item("search");
    await app.page.touchscreen.tap(search.x + 40, search.y + search.h / 2);
    assert.equal(await focused(app), "text-input");
    await app.page.keyboard.insertText("micro_batch");
    await app.item("micro_batch_size");
    const results = await app.item("Results");
    await app.page.touchscreen.tap(results.x + 10, results.y + results.h / 2);
    await app.item("rank 0");
});

browserTest("holding a finger on a bar shows what it is", phone, async (app) => {
    await app.open(start);
    const { x, y, h } = await app.item("bar 0");
    const box = { x: 0, y: 0, w: 390, h: 844 };
    const before = await app.picture(box);
    await app.hands.touch("start", x + 40, y + h / 2);
    await app.page.waitForTimeout(700); // the holding is what is tested
    const during = await app.picture(box);
    await app.hands.touch("end");
    await app.settle();
    let changed = 0;
    for (let py = 0; py < during.height; py += 2)
        for (let px = 0; px < during.width; px += 2)
            if (String(during.at(px, py)) !== String(before.at(px, py))) changed++;
    assert.ok(changed > 500, `a tooltip covers something: ${changed}`);
});

for (const scale of [1.25, 2]) {
    browserTest(`${scale} device pixels to a CSS pixel: drawn by the pixel, clicks land`, { scale }, async (app) => {
        await app.open(start);
        const canvas = await app.page.evaluate(() => {
            const { width, height } = document.getElementById("canvas");
            return { width, height };
        });
        assert.deepEqual(canvas, { width: 1280 * scale, height: 720 * scale });
        await app.click("rank 3");
        await app.page.locator("#mirror-text h2", { hasText: "Rank 3, GiB" }).waitFor({ state: "attached" });
        const bar = await app.item("bar 3");
        const hues = countHues(await app.picture(bar));
        assert.ok(Object.values(hues).some((count) => count > 50), JSON.stringify(hues));
    });
}

browserTest("nothing moves by itself", { reducedMotion: "reduce" }, async (app) => {
    await app.open(start);
    const moving = await app.page.evaluate(() =>
        [...document.querySelectorAll("*")]
            .map((element) => getComputedStyle(element))
            .filter((style) => style.animationName !== "none" || /[1-9]/.test(style.transitionDuration)).length,
    );
    assert.equal(moving, 0);
    assert.equal(await app.page.evaluate(() => document.getAnimations().length), 0);
});
