// How the page is drawn: not at all when nothing changes, sharp on dense screens, and on phones.
import assert from "node:assert/strict";

import { browserTest, scenarioOf, totalsOf, useBrowser } from "./page.mjs";
import { countHues, distance } from "./png.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";
const quietMilliseconds = 5000;

const frames = (app) => app.page.evaluate(() => window.megamem.frames());
const quiet = (app) => app.page.waitForTimeout(quietMilliseconds); // the quiet is what is tested

browserTest("idle: no frame in five seconds after loading, nor after an edit", {}, async (app) => {
    await app.open(start);
    const loaded = await frames(app);
    assert.ok(loaded > 0);
    await quiet(app);
    assert.equal(await frames(app), loaded);

    // The text field stays active: not even its caret asks for frames.
    await app.fill("micro_batch_size", "2");
    await app.waitForHash(/&mb=2&/);
    const edited = await frames(app);
    assert.ok(edited > loaded);
    await quiet(app);
    assert.equal(await frames(app), edited);
});

// How steep the steepest step between neighbouring pixels is, and how many of the 2 x 2 blocks have more than
// one colour.
function detail(picture) {
    let steepest = 0;
    let mixed = 0;
    for (let y = 0; y + 1 < picture.height; y += 2) {
        for (let x = 0; x + 1 < picture.width; x += 2) {
            const corner = picture.at(x, y);
            const right = distance(corner, picture.at(x + 1, y));
            const below = distance(corner, picture.at(x, y + 1));
            steepest = Math.max(steepest, right, below);
            if (right > 24 || below > 24) mixed++;
        }
    }
    return { steepest, mixed: mixed / ((picture.width * picture.height) / 4) };
}

browserTest("a dense screen gets twice the pixels, and detail in them", { scale: 2 }, async (app) => {
    await app.open(start);
    const canvas = await app.page.evaluate(() => {
        const { width, height } = document.getElementById("canvas");
        return { width, height };
    });
    assert.deepEqual(canvas, { width: 2560, height: 1440 });
    const { x, y, w, h } = await app.item("rank 0");
    const picture = await app.picture({ x, y, w, h: 2 * h });
    assert.ok(Math.abs(picture.width - 2 * w) <= 4);
    // Blown up from half the size, blocks would have one colour each, or, smoothed, steps half as steep. The
    // edges of bars and letters are sharp here.
    const { steepest, mixed } = detail(picture);
    assert.ok(mixed > 0.01, `only ${mixed} of the blocks have detail`);
    assert.ok(steepest > 160, `the steepest step is ${steepest}`);
    // Clicks still land where things are seen.
    await app.fill("micro_batch_size", "2");
    await app.waitForHash(/&mb=2&/);
});

// The verdict stands between the top bar and the first rank, and is green or red.
async function assertVerdict(app, hue) {
    const bottom = await app.item("rank 0");
    const top = await app.item("Presets");
    const { width, height } = app.page.viewportSize();
    assert.ok(bottom.y + bottom.h < height, "the ranks are out of sight");
    const from = Math.ceil(top.y + top.h) + 8;
    const hues = countHues(await app.picture({ x: 0, y: from, w: width, h: Math.floor(bottom.y) - from }));
    assert.ok(hues[hue] > 40, `not enough ${hue}: ${JSON.stringify(hues)}`);
    const other = hue === "red" ? "green" : "red";
    assert.ok(hues[hue] > 3 * hues[other], `too much ${other}: ${JSON.stringify(hues)}`);
}

for (const colorScheme of ["light", "dark"]) {
    browserTest(`a phone shows the verdict first (${colorScheme})`, { colorScheme }, async (app) => {
        const fits = "#v=1&m=deepseek-v3&gpu=B300&z=1";
        const doesNotFit = "#v=1&m=deepseek-v3&gpu=A100-40&mb=4&z=1";
        await app.open(fits);
        await app.page.setViewportSize({ width: 390, height: 844 });
        await app.page.waitForFunction(() => document.getElementById("canvas").width === 390);
        await app.headline(/^Fits/);
        await assertVerdict(app, "green");
        for (const label of ["Presets", "Theme", "Copy link", "rank 0", "bar 0", "capacity"]) {
            const { x, w } = await app.item(label);
            assert.ok(w >= 2 && x >= 0 && x + w <= 390, `${label} is cut off: ${x} + ${w}`);
        }
        await app.page.evaluate((hash) => (location.hash = hash), doesNotFit);
        await app.headline(/^Does not fit/);
        await assertVerdict(app, "red");
    });
}

browserTest("a phone: the form can be reached and filled", { width: 390, height: 844 }, async (app) => {
    await app.open(start);
    await app.showInputs();
    await app.item("search");
    await app.gone("rank 0");
    await app.fill("micro_batch_size", "2");
    await app.waitForTotals(totalsOf({ ...scenarioOf(start), micro_batch_size: 2 }));
});

browserTest("touch: a tap clicks, a swipe scrolls", { width: 390, height: 844, hasTouch: true }, async (app) => {
    await app.open(start);
    const { x, y, w, h } = await app.item("Presets");
    await app.page.touchscreen.tap(x + w / 2, y + h / 2);
    const preset = await app.item("Llama 2 7B");
    await app.page.touchscreen.tap(preset.x + 20, preset.y + preset.h / 2);
    await app.waitForHash(/m=llama-2-7b/);
    const before = await app.item("rank 0");
    // As quick as a finger: none waits for the page to have handled the one before.
    const swipe = [app.hands.touch("start", 200, 700)];
    for (let at = 680; at >= 500; at -= 20) swipe.push(app.hands.touch("move", 200, at));
    await Promise.all([...swipe, app.hands.touch("end")]);
    await app.settle();
    const after = await app.find("rank 0");
    assert.ok(after === undefined || after.y < before.y - 100, "the page has not scrolled");
});

browserTest("idle as well where parts of the page are scrolled out of sight", { height: 300 }, async (app) => {
    await app.open(start);
    await app.fill("micro_batch_size", "2");
    await app.waitForHash(/&mb=2&/);
    const before = await frames(app);
    await app.page.waitForTimeout(1000); // again the quiet itself
    assert.equal(await frames(app), before);
});

browserTest("sizes from tiny to huge are drawn without complaint", {}, async (app) => {
    await app.open(start);
    for (const [width, height] of [[320, 480], [700, 300], [1000, 700], [2560, 1440], [1280, 720]]) {
        await app.page.setViewportSize({ width, height });
        await app.page.waitForFunction((wanted) => document.getElementById("canvas").width === wanted, width);
        await app.settle();
    }
    await app.assertShowsItsLink();
});

browserTest("a lost graphics context comes back", { allowed: /CONTEXT_LOST|context lost/i }, async (app) => {
    await app.open(start);
    await app.moveAway();
    const box = await app.item("bar 0");
    const before = await app.picture(box);
    await app.page.evaluate(async () => {
        const context = document.getElementById("canvas").getContext("webgl2");
        const extension = context.getExtension("WEBGL_lose_context");
        const restored = new Promise((done) => {
            document.getElementById("canvas").addEventListener("webglcontextrestored", done);
        });
        const lost = new Promise((done) => {
            document.getElementById("canvas").addEventListener("webglcontextlost", done);
        });
        extension.loseContext();
        await lost;
        // The event must have been handled to its end before the context may come back.
        await new Promise((done) => setTimeout(done));
        extension.restoreContext();
        await restored;
    });
    await app.settle();
    const after = await app.picture(box);
    assert.ok(distance(before.at(20, 4), after.at(20, 4)) < 8, "the bar is not drawn again");
    await app.fill("micro_batch_size", "2");
    await app.waitForHash(/&mb=2&/);
});
