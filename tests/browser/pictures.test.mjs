// How the page looks, against reference pictures: see reference.mjs. All of it is drawn with the page's own fonts, so
// it looks the same on every machine; the text view, which takes the system's, is not pictured.
//
// After a change of the page or of its numbers: UPDATE_PICTURES=1 node --test tests/browser/pictures.test.mjs, which
// needs pngquant; then look at what has changed.
import assert from "node:assert/strict";

import { browserTest, useBrowser } from "./page.mjs";
import { assertLooksAs, compare } from "./reference.mjs";

useBrowser();

// Ranks that fit and ranks that do not, and a changed field.
const link = "#v=1&m=deepseek-v3&ep=32&z=1";
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const themes = ["light", "dark"];
const languages = { en: "en-GB", zh: "zh-CN" };
const still = { reducedMotion: "reduce" };

// Fonts for Chinese and explanations come later than the page: whatever was asked for has arrived and is drawn.
async function pictureOf(app) {
    await app.moveAway();
    await app.page.waitForLoadState("networkidle");
    return app.picture();
}

for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of themes) {
        for (const [language, locale] of Object.entries(languages)) {
            const name = `${size}-${colorScheme}-${language}`;
            browserTest(name, { ...still, ...viewport, colorScheme, locale }, async (app) => {
                await app.open(link);
                assertLooksAs(name, await pictureOf(app));
            });
        }
    }
}

browserTest("desktop-explained", { ...still, ...sizes.desktop }, async (app) => {
    await app.open("#v=1&m=deepseek-v3&pp=16&pl=Etx3._tt.-29m.L&z=1");
    await app.click("by module");
    await app.click("unfold experts");
    await app.scrollTo("pipeline_model_parallel_layout");
    await app.click("experts.activation");
    assertLooksAs("desktop-explained", await pictureOf(app));
});

browserTest("phone-form", { ...still, ...sizes.phone, colorScheme: "dark" }, async (app) => {
    await app.open(link);
    await app.showInputs();
    await app.fill("tensor_model_parallel_size", "3"); // is told in place to be wrong
    assertLooksAs("phone-form", await pictureOf(app));
});

// A picture with the pixels of a box taken from elsewhere: `from(x, y)` is the place.
function changed(picture, { x, y, w, h }, from) {
    const data = Buffer.from(picture.data);
    for (let row = Math.round(y); row < y + h; row++) {
        for (let column = Math.round(x); column < x + w; column++) {
            const [fromX, fromY] = from(column, row).map(Math.round);
            const place = 4 * (fromY * picture.width + fromX);
            picture.data.copy(data, 4 * (row * picture.width + column), place, place + 4);
        }
    }
    return { ...picture, data };
}

browserTest("what the comparison sees and what it doesn't", sizes.desktop, async (app) => {
    await app.open(link);
    const picture = await pictureOf(app);
    const differs = (other) => compare(picture, other).differs;
    const number = await app.item("norms.total");
    const part = await app.item("rank 0 master");
    const other = await app.item("rank 0 optimizer");
    const table = { ...number, h: 5 * number.h };

    assert.ok(differs(changed(picture, table, (x, y) => [x - 2, y])), "a column moved by 2 pixels");
    assert.ok(differs(changed(picture, table, (x, y) => [x, y + 2])), "or up");
    assert.ok(differs(changed(picture, number, () => [number.x, number.y])), "a missing number");
    const colour = () => [other.x + other.w / 2, other.y + other.h / 2];
    assert.ok(differs(changed(picture, part, colour)), "a part of a bar in another's colour");
    assert.ok(differs({ ...picture, height: picture.height - 1 }), "another size");

    assert.ok(!differs(picture));
    const noise = Buffer.from(picture.data.map((value, i) => Math.min(value + (i % 5), 255)));
    assert.ok(!differs({ ...picture, data: noise }), "colours that nobody can tell apart");
});
