// The page in an iframe of another origin: what it shows, and the messages of docs/embed.md.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before } from "node:test";

import { browserTest, scenarioOf, theEngine, useBrowser } from "./page.mjs";

useBrowser();

// A page that holds the iframe, notes what comes from it, and beside it a frame of somebody else's.
const host = createServer((request, response) => {
    const site = new URL(request.url, "http://localhost").searchParams.get("site");
    response.writeHead(200, { "Content-Type": "text/html" });
    if (!site) return response.end("<script>const say = (m) => parent.frames[0].postMessage(m, '*')</script>");
    response.end(`<!DOCTYPE html><link rel="icon" href="data:,">
        <script>window.got = []; addEventListener("message", ({ data, origin }) => got.push({ data, origin }));</script>
        <iframe src="${site}" width="900" height="640"></iframe><iframe src="/"></iframe>`);
});
before(() => new Promise((listening) => host.listen(0, "127.0.0.1", listening)));
after(() => {
    host.closeAllConnections();
    host.close();
});

const link = "#v=1&m=deepseek-v3&tp=8&z=1";
const reportOf = (scenario) => JSON.parse(theEngine().evaluate(JSON.stringify(scenario), "detailed"));

/** The page around, with the iframe ready: { site, send(message), got(count) }. */
async function embedded(app, query = "embed=1", hash = link) {
    await app.visit();
    const site = new URL(app.page.url()).origin;
    const address = encodeURIComponent(`${site}/?${query}${hash}`);
    await app.page.goto(`http://127.0.0.1:${host.address().port}/?site=${address}`);
    return {
        site,
        send: (message) => app.page.evaluate((data) => frames[0].postMessage(data, "*"), message),
        async got(count) {
            await app.page.waitForFunction((wanted) => window.got.length >= wanted, count);
            const messages = await app.page.evaluate(() => window.got);
            assert.deepEqual([...new Set(messages.map(({ origin }) => origin))], [site]);
            return messages.map(({ data }) => data);
        },
    };
}

browserTest("a link and a scenario go in, reports come out", {}, async (app) => {
    const { send, got } = await embedded(app);
    assert.deepEqual(await got(1), [{ type: "megamem:ready", version: theEngine().version() }]);
    const wanted = "#v=1&m=llama-2-7b&tp=2&z=1";
    await send({ type: "megamem:set", id: "a", link: `https://example.org/${wanted}` });
    const scenario = { ...scenarioOf(link), micro_batch_size: 2 };
    await send({ type: "megamem:set", id: 7, scenario });
    const [, first, second] = await got(3);
    assert.deepEqual(first, {
        type: "megamem:report",
        id: "a",
        link: wanted,
        report: reportOf(scenarioOf(wanted)),
    });
    assert.equal(second.id, 7);
    assert.deepEqual(scenarioOf(second.link), scenario);
    assert.deepEqual(second.report, reportOf(scenario));
    // The iframe shows it, and its link opens it.
    const frame = app.page.frames().find((one) => one.url().includes("embed=1"));
    const total = String(reportOf(scenario).ranks[0].totals.total);
    await frame.waitForFunction((bytes) => document.querySelector(`#mirror-text [data-exact="${bytes}"]`), total);
    const [whole] = await Promise.all([app.page.context().waitForEvent("page"), frame.locator("#open").click()]);
    await whole.waitForFunction(() => document.getElementById("loading")?.hidden);
    assert.equal(new URL(whole.url()).search, "");
    assert.deepEqual(scenarioOf(new URL(whole.url()).hash), scenario);
});

browserTest("what cannot be used is an error, and the page stays", {}, async (app) => {
    const { send, got } = await embedded(app);
    await got(1);
    await send({ type: "other:set", link });
    await send({ type: "megamem:get", id: 1 });
    await send({ type: "megamem:set", id: 2 });
    await send({ type: "megamem:set", id: 3, link: `#v=1&n=${"x".repeat(256 * 1024)}&z=1` });
    await send({ type: "megamem:set", id: 4, scenario: { micro_batch_size: "many" } });
    await send({ type: "megamem:set", id: 5, scenario: [1] });
    const [, ...errors] = await got(6);
    assert.deepEqual(
        errors.map(({ type, id }) => [type, id]),
        [1, 2, 3, 4, 5].map((id) => ["megamem:error", id]),
    );
    assert.match(errors[2].message, /256 KiB/);
    assert.match(errors[3].message, /micro_batch_size/);
    const frame = app.page.frames().find((one) => one.url().includes("embed=1"));
    assert.equal(await frame.evaluate(() => location.hash), link);
});

browserTest("only the page around is heard", {}, async (app) => {
    const { send, got } = await embedded(app);
    await got(1);
    const stranger = app.page.frames().find((one) => one.url().endsWith("/") && one !== app.page.mainFrame());
    const heard = await stranger.evaluate(() => {
        window.heard = [];
        addEventListener("message", ({ data }) => window.heard.push(data));
        say({ type: "megamem:set", id: "stranger", link: "#v=1&m=llama-2-7b&z=1" });
        return window.heard;
    });
    await send({ type: "megamem:set", id: "parent", link });
    assert.deepEqual((await got(2)).map(({ id }) => id), [undefined, "parent"]);
    assert.deepEqual(heard, []);
});

browserTest("without ?embed=1 nothing is said or heard", {}, async (app) => {
    const { send } = await embedded(app, "test");
    const frame = app.page.frames().find((one) => one.url().includes("?test"));
    await frame.waitForFunction(() => document.getElementById("loading")?.hidden);
    await send({ type: "megamem:set", id: 1, link: "#v=1&m=llama-2-7b&z=1" });
    await app.page.waitForTimeout(500);
    assert.deepEqual(await app.page.evaluate(() => window.got), []);
    assert.equal(await frame.evaluate(() => location.hash), link);
});

browserTest("no toolbar and no form", {}, async (app) => {
    await app.page.goto((await app.visit(), `${app.page.url()}&embed=1${link}`));
    await app.ready();
    const labels = (await app.items()).map(({ label }) => label);
    for (const there of ["verdict", "bar 0"]) assert.ok(labels.includes(there), there);
    for (const absent of ["Presets", "Share", "search", "Methods", "Notes"]) assert.ok(!labels.includes(absent), absent);
});
