// dist/site in a sub-folder of a plain server that knows no type for WebAssembly: with the network, without it, and
// when a new version comes.
import assert from "node:assert/strict";
import { appendFileSync, cpSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";

import { chromium } from "../browser/chromium.mjs";
import { firefox } from "../browser/firefox.mjs";
import { root } from "../node/support.mjs";
import { makeBundle, servePlainly, temporaryFolder, withVisit } from "./support.mjs";

const link = "#v=1&m=deepseek-v3&z=1";
const timeout = 240_000;
const dist = makeBundle();
const site = path.join(dist, "site");

/** Waits until the worker keeps the page and answers for it. */
const isKept = (visit) => visit.page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
const caches = (visit) => visit.page.evaluate(() => window.caches.keys());

for (const driver of [chromium, firefox]) {
    const name = driver === chromium ? "Chromium" : "Firefox";
    before(() => driver.start());
    after(() => driver.stop());

    test(`${name}: after one visit everything works without the server`, { timeout }, async () => {
        const server = await servePlainly(site);
        await withVisit(driver, server.url, async (visit) => {
            await visit.open(link);
            await isKept(visit);
            await server.stop();
            visit.address += "index.html";
            await visit.open(link);
            await visit.useAll();
            visit.assertQuiet(server.url);
        });
    });
}

test("nothing is asked of anybody else, and of the server only what is there", { timeout }, async () => {
    const server = await servePlainly(site);
    await withVisit(chromium, server.url, async (visit) => {
        await visit.open(link);
        await visit.useAll();
        await isKept(visit);
        visit.assertQuiet(server.url);
        assert.ok(server.asked.every((asked) => asked.startsWith("/tools/megamem/")));
    });
    await server.stop();
});

test("a new version is offered, the old one works on, and the new one comes when it is wanted", { timeout }, async () => {
    const changed = temporaryFolder();
    cpSync(path.join(root, "build/web/site"), changed, { recursive: true });
    appendFileSync(path.join(changed, "style.css"), "#loading { --next: yes; }\n");
    const next = path.join(makeBundle(changed), "site");
    const styleOf = (visit) => visit.page.getAttribute("link[rel=stylesheet]", "href");

    const server = await servePlainly(site);
    await withVisit(chromium, server.url, async (visit) => {
        await visit.open(link);
        await isKept(visit);
        const [oldCache] = await caches(visit);
        const oldStyle = await styleOf(visit);

        server.folder = next;
        await visit.reload();
        const note = visit.page.locator("#update");
        await note.waitFor({ state: "visible" });
        assert.equal(await styleOf(visit), oldStyle);
        await visit.useAll(); // with parts that the server has no more
        assert.match(await note.textContent(), /新版本已就绪/);

        await visit.page.locator("#update-dismiss").click();
        await note.waitFor({ state: "hidden" });
        await visit.reload(); // and it is offered again
        await note.waitFor({ state: "visible" });
        assert.equal(await styleOf(visit), oldStyle);
        if (process.env.PICTURE) await visit.page.screenshot({ path: process.env.PICTURE });

        const hash = await visit.hash();
        await visit.page.locator("#update-take").click();
        await visit.page.waitForFunction(
            (old) => document.querySelector("link[rel=stylesheet]")?.getAttribute("href") !== old,
            oldStyle,
        );
        await visit.ready();
        assert.equal(await visit.hash(), hash);
        await visit.page.waitForFunction(async (old) => !(await window.caches.keys()).includes(old), oldCache);
        assert.equal((await caches(visit)).length, 1);
        await server.stop();
        await visit.reload();
        visit.assertQuiet(server.url);
    });
});
