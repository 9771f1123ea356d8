// Presets, the copied link, and light and dark.
import assert from "node:assert/strict";

import { browserTest, useBrowser } from "./page.mjs";
import { distance } from "./png.mjs";

useBrowser();

// Most of the page is light, or dark; and between the panels it has the ground that the browser paints before
// the program runs, so that nothing flashes.
async function assertTheme(app, theme) {
    await app.moveAway();
    const ground = await app.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const colour = ground.match(/\d+/g).map(Number);
    const picture = await app.picture();
    const isThere = { light: 0, dark: 0, ground: 0 };
    let count = 0;
    // Every third pixel of each direction is enough to count areas.
    for (let y = 0; y < picture.height; y += 3) {
        for (let x = 0; x < picture.width; x += 3, count++) {
            const pixel = picture.at(x, y);
            isThere[pixel[0] + pixel[1] + pixel[2] > 384 ? "light" : "dark"]++;
            if (distance(pixel, colour) <= 2) isThere.ground++;
        }
    }
    assert.ok(isThere[theme] > count * 0.7, `the page is not ${theme}`);
    assert.ok(isThere.ground > count * 0.02, `the page's ground is not ${ground}`);
}

browserTest("a preset by mouse", {}, async (app) => {
    await app.open();
    await app.click("Presets");
    await app.item("DeepSeek-V3");
    await app.click("Llama 3.1 70B");
    await app.gone("Llama 3.1 70B"); // the menu shuts
    await app.waitForHash(/m=llama-3\.1-70b/);
    await app.assertShowsItsLink();
    await app.click("Presets");
    await app.item("Llama 3.1 70B");
    await app.press("Escape");
    await app.gone("Llama 3.1 70B");
});

browserTest("Copy link puts the address, edits included, on the clipboard", {}, async (app) => {
    await app.open("#v=1&m=deepseek-v3&z=1");
    await app.fill("micro_batch_size", "2");
    await app.click("Copy link");
    const link = await app.waitForClipboard(/^http/);
    assert.equal(link, await app.page.evaluate(() => location.href));
    assert.match(link, /&mb=2&z=1$/);
});

browserTest("a refused clipboard: the link stands in a box", { permissions: [] }, async (app) => {
    await app.page.addInitScript(() => {
        Object.defineProperty(navigator, "clipboard", { value: undefined });
        document.execCommand = () => false;
    });
    await app.open("#v=1&m=deepseek-v3&z=1");
    await app.click("Copy link");
    const box = app.page.locator("#copy-box textarea");
    await box.waitFor({ state: "visible" });
    assert.equal(await box.inputValue(), app.page.url());
    await app.page.locator("#copy-box button").click();
    await box.waitFor({ state: "hidden" });
});

for (const colorScheme of ["light", "dark"]) {
    browserTest(`the theme is the browser's (${colorScheme}) until changed, and is kept`, { colorScheme }, async (app) => {
        const other = colorScheme === "light" ? "dark" : "light";
        await app.open();
        await assertTheme(app, colorScheme);
        await app.click("Theme");
        await assertTheme(app, other);
        assert.equal(await app.page.evaluate(() => document.documentElement.dataset.theme), other);
        await app.reload();
        await assertTheme(app, other);
        await app.click("Theme");
        await assertTheme(app, colorScheme);
    });
}

browserTest("the theme follows the system's while the page is open, unless chosen", {}, async (app) => {
    await app.open();
    await app.hands.setSystemTheme("dark");
    await assertTheme(app, "dark");
    await app.hands.setSystemTheme("light");
    await assertTheme(app, "light");
    await app.click("Theme");
    await app.hands.setSystemTheme("dark");
    await app.hands.setSystemTheme("light");
    await assertTheme(app, "dark");
});
