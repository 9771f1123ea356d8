// The result as real headings and tables: for screen readers, find-in-page, selection, print, and as a view of its own.
import assert from "node:assert/strict";

import { chromium } from "./chromium.mjs";
import { browserTest, scenarioOf, theEngine, totalsOf, useBrowser } from "./page.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";

const view = (app) => app.page.evaluate(() => document.documentElement.dataset.view ?? "");
const focused = (app) => app.page.evaluate(() => document.activeElement.id);
const announced = (app) => app.page.locator("#announcement").textContent();

// GiB with two decimals, rounded half up, as people read it.
function gib(bytes) {
    const hundredths = (BigInt(bytes) * 100n + (1n << 29n)) >> 30n;
    return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`;
}

browserTest("Escape, then Tab, leaves the canvas for the results as text, and Escape returns", {}, async (app) => {
    await app.open(start);
    await app.press("Escape");
    await app.press("Shift+Tab");
    assert.equal(await focused(app), "skip");
    await app.press("Enter");
    assert.equal(await focused(app), "mirror");
    assert.ok(await app.page.locator("#mirror table").first().isVisible());
    assert.equal(await app.hash(), start); // the skip link must not take the hash
    await app.press("Escape");
    assert.equal(await view(app), "");
    assert.equal(await focused(app), "canvas");
});

browserTest("the tables say what the engine says, in GiB", {}, async (app) => {
    await app.open(start);
    const totals = totalsOf(scenarioOf(start));
    const shown = await app.page.evaluate(() =>
        [...document.querySelector("#mirror-text table").tBodies[0].rows].map((row) => row.lastElementChild.textContent),
    );
    assert.deepEqual(shown, totals.map(gib));
    const { headline } = await app.mirror();
    assert.ok(headline.includes(`${gib(Math.max(...totals))} GiB`), headline);
    const report = JSON.parse(theEngine().evaluate(JSON.stringify(scenarioOf(start)), "detailed"));
    const text = await app.page.locator("#mirror-text").textContent();
    for (const { message } of report.assumptions) assert.ok(text.includes(message), message);
});

browserTest("the selected rank's modules and the selected cell's explanation", { width: 1440, height: 1100 }, async (app) => {
    await app.open(start);
    await app.click("rank 1");
    const second = app.page.locator("#mirror-text h2", { hasText: "Rank 1, GiB" });
    await second.waitFor({ state: "attached" });
    await app.click("attention.weight");
    const { explanations } = JSON.parse(
        theEngine().explain(JSON.stringify(scenarioOf(start)), "detailed", 1, "attention.weight"),
    );
    await app.page.locator("#mirror-text h2", { hasText: explanations[0].title }).waitFor({ state: "attached" });
    const text = await app.page.locator("#mirror-text").textContent();
    assert.ok(text.includes(explanations[0].source), explanations[0].source);
});

browserTest("problems stand there too", {}, async (app) => {
    await app.open(start);
    await app.fill("tensor_model_parallel_size", "7");
    await app.headline(/^No result: .*TP 7/);
    assert.match(await app.page.locator("#mirror-text li").first().textContent(), /TP 7/);
});

browserTest("the text view: by button and key, remembered, read, selected, copied", {}, async (app) => {
    await app.open(start);
    await app.click("Text");
    assert.equal(await view(app), "text");
    assert.equal(await app.page.locator("#canvas").isVisible(), false);
    await app.press("Control+A");
    await app.press("Control+C");
    assert.match(await app.hands.clipboard(), /DeepSeek-V3[\s\S]*rank 2 needs[\s\S]*attention/);
    // Find-in-page, as far as a script can ask for it.
    assert.ok(await app.page.evaluate(() => window.find("shared expert", false, false, true)));
    await app.reload();
    assert.equal(await view(app), "text");
    // A link that is opened meanwhile is told there.
    await app.page.evaluate(() => (location.hash = "#v=1&m=llama-2-7b&z=1"));
    await app.page.locator("h1", { hasText: "Llama 2 7B" }).waitFor();
    await app.page.locator("#mirror-close").click();
    assert.equal(await view(app), "");
    await app.item("rank 0");
    await app.press("F8");
    assert.equal(await view(app), "text");
    await app.press("F8");
    assert.equal(await view(app), "");
    await app.reload();
    assert.equal(await view(app), "");
});

browserTest("what is pasted onto the text view opens the import", {}, async (app) => {
    await app.open(start);
    await app.press("F8");
    await app.paste("--num-layers 12 --hidden-size 768");
    await app.item("Apply");
    assert.equal(await view(app), "");
});

const paper = { colorScheme: "dark", only: chromium }; // Firefox prints only to printers
browserTest("on paper there are the tables, not the canvas", paper, async (app) => {
    await app.open(start);
    await app.page.emulateMedia({ media: "print" });
    assert.equal(await app.page.locator("#canvas").isVisible(), false);
    assert.ok(await app.page.locator("#mirror table").first().isVisible());
    const { height, color } = await app.page.evaluate(() => ({
        height: document.documentElement.scrollHeight,
        color: getComputedStyle(document.body).color,
    }));
    assert.ok(height > 1000, "all of it is on the page, not a window of it");
    assert.equal(color, "rgb(0, 0, 0)");
});

browserTest("the verdict is announced when it changes, once a burst of keys, and costs no frames", {}, async (app) => {
    await app.open(start);
    await app.page.waitForFunction(() => document.getElementById("announcement").textContent !== "");
    assert.equal(await announced(app), (await app.mirror()).headline);
    await app.page.evaluate(() => {
        window.said = [];
        new MutationObserver(() => window.said.push(document.getElementById("announcement").textContent)).observe(
            document.getElementById("announcement"),
            { childList: true, characterData: true, subtree: true },
        );
        window.written = 0;
        new MutationObserver(() => window.written++).observe(document.getElementById("mirror-text"), { childList: true });
    });
    await app.fill("seq_length", "8192");
    await app.waitForHash(/&s=8192&/);
    await app.page.waitForFunction(() => window.said.length > 0);
    const { headline } = await app.mirror();
    assert.deepEqual(await app.page.evaluate(() => window.said), [headline]);
    // Nothing of it is written anew, or said again, while nothing changes.
    const before = await app.page.evaluate(() => [window.written, window.megamem.frames()]);
    await app.page.waitForTimeout(1000);
    assert.deepEqual(await app.page.evaluate(() => [window.written, window.megamem.frames()]), before);
    await app.moveAway();
    await app.settle();
    assert.equal(await app.page.evaluate(() => window.written), before[0]);
});

const rowsOf = (app, heading) =>
    app.page.evaluate((title) => {
        const head = [...document.querySelectorAll("#mirror-text h2")].find((h2) => h2.textContent === title);
        const table = head?.nextElementSibling.querySelector("table");
        return [...(table?.tBodies[0].rows ?? [])].map((row) => [...row.cells].map((cell) => cell.textContent));
    }, heading);

browserTest("modules as the canvas has them: order, and the tensors of what is unfolded", {}, async (app) => {
    await app.open(start);
    await app.click("sort activation");
    await app.click("unfold router");
    await app.press("F8");
    await app.page.locator("th", { hasText: "router.weight" }).waitFor();
    const rows = await rowsOf(app, "Rank 2, GiB");
    const names = rows.map(([name]) => name.trim()); // indented
    assert.ok(rows.some(([name]) => name.startsWith("\u2003\u2003")), "tensors stand below their module");
    const activations = (name) => Number(rows[names.indexOf(name)].at(-2));
    const layers = ["experts", "attention", "norms", "shared expert", "router"];
    const shown = names.filter((name) => layers.includes(name));
    assert.deepEqual(shown, layers.sort((a, b) => activations(b) - activations(a)));
    assert.equal(names[names.indexOf("router") + 1].includes("router.weight"), true);
    assert.ok(names.includes("Workspaces and buffers"), "what is folded on the canvas can't be unfolded here");
});

browserTest("methods side by side, with the engine's figures and reasons", {}, async (app) => {
    await app.open(start);
    await app.press("F8");
    await app.page.locator("h2", { hasText: "What each method says" }).waitFor();
    const rows = await rowsOf(app, "What each method says, and why they differ");
    const total = rows.find(([name]) => name === "total");
    const needed = (method) => gib(Math.max(...totalsOf(scenarioOf(start), method)));
    assert.deepEqual(total.slice(1, 3), [needed("detailed"), needed("calculator")]);
    for (const row of rows) assert.ok(row.at(-1).length > 5, row[0]);
    // Notes come with it.
    await app.page.locator("h2", { hasText: "Sources" }).waitFor();
});

browserTest("the comparison: what differs, ranks, components", {}, async (app) => {
    await app.open(start);
    await app.click("Compare");
    await app.click("Pin as A");
    await app.fill("micro_batch_size", "2");
    await app.page.locator("#mirror-text h2", { hasText: "Inputs that differ: 1" }).waitFor({ state: "attached" });
    assert.deepEqual(await rowsOf(app, "Inputs that differ: 1"), [["Micro-batch", "1", "2"]]);
    const a = totalsOf(scenarioOf(start));
    const b = totalsOf({ ...scenarioOf(start), micro_batch_size: 2 });
    const pairs = await rowsOf(app, "A and B by pipeline rank, GiB");
    assert.deepEqual(pairs.map(([, ofA, ofB]) => [ofA, ofB]), a.map((bytes, i) => [gib(bytes), gib(b[i])]));
    const components = await rowsOf(app, "Worst rank by component, GiB");
    const [, ofA, ofB, more] = components.find(([name]) => name === "total");
    assert.deepEqual([ofA, ofB], [gib(Math.max(...a)), gib(Math.max(...b))]);
    assert.match(more, /^\+/);
    // Pinned anew, nothing differs any more.
    await app.click("Pin B as A");
    await app.page.locator("#mirror-text p", { hasText: "A and B are the same." }).waitFor({ state: "attached" });
    await app.click("Drop A");
    await app.page.locator("#mirror-text h2", { hasText: "Compare" }).waitFor({ state: "detached" });
});
