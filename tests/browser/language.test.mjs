// Which language the page is in: the browser's at first, then what was chosen.
import assert from "node:assert/strict";

import { browserTest, useBrowser } from "./page.mjs";
import { differingShare } from "./png.mjs";

useBrowser();

const chinese = { locale: "zh-CN", width: 1440, height: 1100 };
const start = "#v=1&m=deepseek-v3&z=1";

browserTest("an English reader downloads nothing for Chinese", {}, async (app) => {
    const fetched = [];
    app.page.on("request", (request) => fetched.push(request.url()));
    await app.open(start);
    assert.ok(fetched.length > 3);
    assert.deepEqual(fetched.filter((url) => /zh\.|glyphs/.test(url)), []);
    assert.equal(await app.page.evaluate(() => document.documentElement.lang), "en");
});

browserTest("the browser's language decides, then what was chosen, which is kept", chinese, async (app) => {
    const fetched = [];
    app.page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
    const lang = () => app.page.evaluate(() => document.documentElement.lang);
    await app.open(start);
    assert.equal(await lang(), "zh-CN");
    assert.match((await app.mirror()).headline, /^紧张：rank 2 需要/);
    assert.equal(await app.page.getAttribute("#canvas", "aria-label"), "显存计算器。按 F8 以文本显示结果。先按 Esc 再按 Tab 可离开此区域。");
    assert.equal(fetched.filter((name) => /zh\.txt$/.test(name)).length, 1);
    await app.click("Language");
    await app.headline(/^Tight: rank 2 needs/);
    assert.equal(await lang(), "en");
    assert.match(await app.page.getAttribute("#canvas", "aria-label"), /^Memory calculator/);
    await app.reload();
    assert.equal(await lang(), "en");
    await app.click("Language");
    await app.headline(/^紧张/);
    await app.reload();
    assert.match((await app.mirror()).headline, /^紧张/);
});

browserTest("chosen in an English browser", { width: 1440 }, async (app) => {
    await app.open(start);
    await app.moveAway(); // where it is in the second picture; and the frames that it draws settle the scrollbars
    const before = await app.picture();
    await app.click("Language");
    await app.headline(/^紧张/);
    await app.settle();
    await app.click("Language");
    await app.headline(/^Tight/);
    assert.equal(differingShare(before, await app.picture()), 0, "English is as it was");
});
