// Characters that the page's own fonts lack come when somebody uses them.
import assert from "node:assert/strict";

import { browserTest, useBrowser } from "./page.mjs";
import { distance } from "./png.mjs";

useBrowser();

browserTest("Chinese and Cyrillic in the name are fetched and drawn, and nothing before", {}, async (app) => {
    const fetched = [];
    app.page.on("request", (request) => {
        const [, block] = request.url().match(/glyphs\/(\w+)\.ttf/) ?? [];
        if (block) fetched.push(block);
    });
    const assertFetched = async (blocks) => {
        for (let i = 0; i < 100 && fetched.length < blocks.length; i++) await app.page.waitForTimeout(100);
        assert.deepEqual(fetched, blocks);
    };
    await app.open("#v=1&m=deepseek-v3&z=1");
    assert.deepEqual(fetched, []);
    await app.fill("name", "");
    await app.page.keyboard.insertText("\u4e00\u4e00"); // 一一: a bar, which a missing character's box isn't
    await assertFetched(["4e"]);
    await app.page.waitForTimeout(500); // until it is drawn
    await app.settle();
    const box = await app.item("name");
    const picture = await app.picture({ x: box.x + 4, y: box.y + 2, w: 40, h: box.h - 4 });
    // Dark pixels in a few rows only: bars, not boxes or question marks.
    const rows = new Set();
    for (let y = 0; y < picture.height; y++) {
        for (let x = 4; x < 26; x++) {
            if (distance(picture.at(x, y), [0x17, 0x1a, 0x21]) < 200) rows.add(y);
        }
    }
    assert.ok(rows.size >= 1 && rows.size <= 4, `ink in rows ${[...rows]}`);
    await app.fill("name", "");
    await app.page.keyboard.insertText("Привет");
    await assertFetched(["4e", "04"]);
});
