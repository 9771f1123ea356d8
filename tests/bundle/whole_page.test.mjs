// The page in one file, opened from the disk, out of the zip: nothing is asked of any network.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { chromium } from "../browser/chromium.mjs";
import { firefox } from "../browser/firefox.mjs";
import { decodePng } from "../browser/png.mjs";
import { root } from "../node/support.mjs";
import { makeBundle, temporaryFolder, wholePage, withVisit } from "./support.mjs";

const link = "#v=1&m=deepseek-v3&z=1";
const timeout = 240_000;

// As scripts/bundle packs it, unpacked elsewhere.
const dist = makeBundle();
const name = path.basename(wholePage(dist));
const folder = temporaryFolder();
const zip = path.join(dist, "megamem.zip");
const entries = [`${name}=${wholePage(dist)}`, `site=${path.join(dist, "site")}`];
execFileSync("python3", [path.join(root, "scripts/lib/zip.py"), zip, "megamem", ...entries]);
execFileSync("python3", ["-m", "zipfile", "-e", zip, folder]);
const unpacked = path.join(folder, "megamem");
const whole = pathToFileURL(path.join(unpacked, name)).href;

for (const driver of [chromium, firefox]) {
    const browser = driver === chromium ? "Chromium" : "Firefox";
    before(() => driver.start());
    after(() => driver.stop());

    test(`${browser}: links, import and Chinese work from one file`, { timeout }, async () => {
        await withVisit(driver, whole, async (visit) => {
            await visit.open(link);
            await visit.useAll();
            await visit.fill("vocab_size", "128000");
            await visit.waitForHash(/vs=128000/);
            const hash = await visit.hash();
            await visit.reload();
            assert.equal(await visit.hash(), hash);
            visit.assertQuiet(whole);
        });
    });
}

test("exports and licences come from the one file too", { timeout }, async () => {
    await withVisit(chromium, whole, async (visit) => {
        await visit.open(link);
        const download = async (label) => {
            await visit.click("Export");
            await visit.item(label);
            const [file] = await Promise.all([visit.page.waitForEvent("download"), visit.click(label)]);
            return readFile(await file.path());
        };
        const [total] = await visit.totals();
        assert.ok((await download("download csv")).toString().includes(`0,,total,total,${total}\r\n`));
        assert.equal(decodePng(await download("download png")).width, 1920);
        await visit.click("?");
        const [licences] = await Promise.all([
            visit.page.context().waitForEvent("page"),
            visit.page.locator("#dialog a", { hasText: "Licences" }).click(),
        ]);
        await licences.waitForFunction(() => /Dear ImGui/.test(document.body.textContent));
        visit.assertQuiet(whole);
    });
});

test("the site opened from the disk tells where the one file is", { timeout }, async () => {
    const site = pathToFileURL(path.join(unpacked, "site/index.html")).href;
    await withVisit(chromium, site, async (visit) => {
        await visit.visit();
        const message = visit.page.locator("#failure-text");
        await message.waitFor({ state: "visible" });
        assert.match(await message.textContent(), /opened as a file.*one file/);
    });
});
