// The page in a real browser, used as people use it: items are found by label and then clicked and typed into
// with real mouse and keyboard events. The browser is Chromium, or what a test file chooses by `runIn`.
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";

import { startServer } from "../../scripts/lib/serve.mjs";
import { loadModule, root } from "../node/support.mjs";
import { chromium } from "./chromium.mjs";
import { decodePng } from "./png.mjs";

const site = process.env.MEGAMEM_SITE ?? path.join(root, "build/web/site");

let driver = chromium;
let server;
let engine;

/** All tests of this process, also those of files imported after this, run in another browser than Chromium. */
export function runIn(browser) {
    driver = browser;
}

let isInUse = false;

/** Starts browser and server for the tests of a file, and stops them after the last. */
export function useBrowser() {
    if (isInUse) return; // files that were imported share one
    isInUse = true;
    before(async () => {
        server = await startServer(site);
        await driver.start();
        engine = await loadModule();
    });
    after(async () => {
        await driver.stop();
        server?.server.closeAllConnections();
        server?.server.close();
    });
}

/** The engine of the command line and of Node, which says what the page must show. */
export const theEngine = () => engine;

/**
 * A test with a page of its own. `run` gets the App; afterwards nothing may stand in the console, except what
 * `options.allowed` (a pattern) matches. A screenshot of a failure is left in a temporary folder.
 */
export function browserTest(name, options, run) {
    if (options.only !== undefined && options.only !== driver) return;
    test(name, { timeout: driver.timeout }, async () => {
        const { width = 1280, height = 720, scale = 1, allowed, only, ...others } = options;
        const { page, hands, close } = await driver.open({ width, height, scale, ...others });
        const complaints = [];
        const collect = (text) => {
            if (!driver.remarks.test(text) && !allowed?.test(text)) complaints.push(text);
        };
        page.on("pageerror", (error) => collect(String(error)));
        page.on("console", (message) => {
            if (["error", "warning", "warn", "assert"].includes(message.type())) collect(message.text());
        });
        try {
            await run(new App(page, hands));
            assert.deepEqual(complaints, [], "messages in the console");
        } catch (error) {
            const file = path.join(mkdtempSync(path.join(tmpdir(), "megamem-failure-")), "page.png");
            await page.screenshot({ path: file }).catch(() => {});
            console.error(`${name}: ${file}\n${complaints.join("\n")}`);
            throw error;
        } finally {
            await close();
        }
    });
}

export class App {
    constructor(page, hands) {
        this.page = page;
        this.hands = hands; // see handsOn of chromium.mjs and firefox.mjs
    }

    /** Goes to the page with this hash ("" or "#...") and waits until it shows its first result. */
    async open(hash = "") {
        await this.visit(hash);
        await this.ready();
    }

    /** The same without waiting: for pages that are to fail. */
    async visit(hash = "") {
        await this.page.goto(`${server.url}?test${hash}`);
    }

    async reload() {
        await this.page.reload();
        await this.ready();
    }

    async ready() {
        // The frames are there when the program runs; the mirror is filled when a result is there.
        await this.page.waitForFunction(() => {
            const loading = document.getElementById("loading");
            return loading?.hidden && document.getElementById("mirror-headline").textContent !== "";
        });
        await this.settle();
    }

    /** Waits until the page has reacted to all input and draws no more. */
    async settle() {
        await this.page.waitForFunction(() => window.megamem.idle());
    }

    items() {
        return this.page.evaluate(() => window.megamem.items());
    }

    async find(label) {
        return (await this.items()).find((item) => item.label === label);
    }

    /** The item with this label, waited for; its place is that of the settled page. */
    async item(label) {
        const wanted = (name) => window.megamem.items().some((item) => item.label === name);
        await this.page.waitForFunction(wanted, label).catch(async () => {
            const labels = (await this.items()).map((item) => item.label);
            assert.fail(`no item "${label}"; there are: ${labels.join(", ")}`);
        });
        await this.settle();
        return (await this.find(label)) ?? this.item(label);
    }

    async gone(label) {
        await this.page.waitForFunction(
            (name) => !window.megamem.items().some((item) => item.label === name),
            label,
        );
    }

    // Input is queued in the order given, so nothing waits between one event and the next; whoever then looks
    // at the page waits for what is to be seen, or calls settle().

    async click(label) {
        const { x, y, w, h } = await this.item(label);
        await this.page.mouse.click(x + w / 2, y + h / 2);
        // Away from what was clicked, whose tooltip would keep the page drawing until it has appeared.
        await this.moveAway();
    }

    press(key) {
        return this.page.keyboard.press(key);
    }

    type(text) {
        return this.page.keyboard.type(text);
    }

    /** Copies a text in another program, so to say, and pastes it into the page. */
    async paste(text) {
        await this.hands.copyElsewhere(text);
        await this.press("Control+v");
    }

    /** What another program would paste, waited for. */
    async waitForClipboard(pattern) {
        let text = "";
        for (let i = 0; i < 50 && !pattern.test((text = await this.hands.clipboard())); i++) {
            await this.page.waitForTimeout(100);
        }
        assert.match(text, pattern);
        return text;
    }

    /** On a phone the form and the results take turns. */
    async showInputs() {
        if (await this.find("Inputs")) await this.click("Inputs");
    }

    /** The field with this key, in sight: groups may be shut and the form is long, so the search finds it. */
    async field(key) {
        if ((await this.find(key)) === undefined) {
            await this.showInputs();
            await this.scrollTo("search");
            await this.click("search");
            await this.press("Control+A");
            await this.page.keyboard.insertText(key); // at once, as from the clipboard: it is quicker
            await this.settle();
            await this.scrollTo(key); // on a phone it can stand below the search field's edge
        }
        return this.item(key);
    }

    /** Turns the wheel over the form until the item is in sight whole. */
    async scrollTo(label) {
        const { width, height } = this.page.viewportSize();
        const isThere = async () => {
            const item = await this.find(label);
            return item !== undefined && item.h > 12; // what is cut off by an edge is lower than a line
        };
        if (await isThere()) return;
        await this.page.mouse.move(Math.min(150, width / 2), height / 2);
        await this.page.mouse.wheel(0, -100_000);
        await this.settle();
        for (let i = 0; i < 100 && !(await isThere()); i++) {
            await this.page.mouse.wheel(0, height / 4);
            await this.settle();
        }
        assert.ok(await isThere(), `"${label}" is nowhere in the page`);
    }

    /** Replaces what a text field holds. */
    async fill(key, text) {
        await this.field(key);
        await this.click(key);
        await this.press("Control+A");
        await (text === "" ? this.press("Delete") : this.type(text));
    }

    /** Moves the mouse where it hovers over nothing, so that pictures do not depend on it. */
    moveAway() {
        return this.page.mouse.move(this.page.viewportSize().width / 2, 1);
    }

    /** The text beside the canvas: {headline, ranks: [{rank, weight, ..., total}]}, with exact bytes. */
    mirror() {
        return this.page.evaluate(() => {
            const table = document.querySelector("#mirror-text th[data-exact=rank]")?.closest("table");
            const rows = [...(table?.rows ?? [])].map((row) =>
                [...row.cells].map((cell) => cell.dataset.exact ?? cell.textContent),
            );
            const [keys = [], ...ranks] = rows;
            return {
                headline: document.getElementById("mirror-headline").textContent,
                ranks: ranks.map((row) => Object.fromEntries(row.map((text, i) => [keys[i], Number(text)]))),
            };
        });
    }

    async totals() {
        return (await this.mirror()).ranks.map((rank) => rank.total);
    }

    async waitForTotals(expected) {
        await this.page
            .waitForFunction((text) => {
                const table = document.querySelector("#mirror-text th[data-exact=rank]")?.closest("table");
                const rows = [...(table?.tBodies[0].rows ?? [])];
                return rows.map((row) => row.cells[row.cells.length - 1].dataset.exact).join(" ") === text;
            }, expected.join(" "))
            .catch(async () => assert.deepEqual(await this.totals(), expected));
        await this.settle();
    }

    async headline(pattern) {
        await this.page
            .waitForFunction(
                ([source, flags]) =>
                    new RegExp(source, flags).test(document.getElementById("mirror-headline").textContent),
                [pattern.source, pattern.flags],
            )
            .catch(async () => assert.match((await this.mirror()).headline, pattern));
    }

    hash() {
        return this.page.evaluate(() => location.hash);
    }

    /** The hash follows a moment after the last edit. */
    async waitForHash(pattern) {
        await this.page
            .waitForFunction(([source]) => new RegExp(source).test(location.hash), [pattern.source])
            .catch(async () => assert.match(await this.hash(), pattern));
        await this.settle();
    }

    /** The page shows what the engine says of the link in its address. */
    async assertShowsItsLink() {
        const { scenario, method } = JSON.parse(engine.decodeLink(await this.hash()));
        const report = JSON.parse(engine.evaluate(JSON.stringify(scenario), method));
        const shown = (await this.mirror()).ranks.map(({ rank, ...bytes }) => bytes);
        // The report of the detailed method has more totals than the table beside the canvas.
        const wanted = report.ranks.map(({ totals }) =>
            Object.fromEntries(Object.keys(shown[0] ?? {}).map((key) => [key, totals[key]])),
        );
        assert.deepEqual(shown, wanted);
    }

    /** A part of the settled page, in CSS pixels, as pixels; without one, all of it. */
    async picture(box) {
        await this.settle();
        const clip = box && { x: box.x, y: box.y, width: box.w, height: box.h };
        return decodePng(await this.page.screenshot(clip && { clip }));
    }
}

/** The totals of a scenario, as the engine has them. */
export function totalsOf(scenario, method = "detailed") {
    const { ranks } = JSON.parse(engine.evaluate(JSON.stringify(scenario), method));
    return ranks.map((rank) => rank.totals.total);
}

/** The same link, showing the calculator method. */
export function calculatorLink(link) {
    return link.replace(/^#v=1(&m=[^&]*)?/, "$&&mt=calculator");
}

/** What a link stands for. */
export function scenarioOf(link) {
    return JSON.parse(engine.decodeLink(link)).scenario;
}
