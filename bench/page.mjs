// The page in Chromium, which draws with its software renderer when it has no window: how soon it can be used, what a
// frame costs, how long a key takes, and how much is drawn while nobody touches it.
import { chromium } from "playwright-core";

import { startServer } from "../scripts/lib/serve.mjs";
import { median } from "./median.mjs";

const viewport = { width: 1440, height: 900 };
const manyRanks = "#v=1&m=llama-3.1-405b&l=128&nn=512&pp=64&pl=none&gb=4096&z=1"; // 64 pipeline ranks

/** Runs `measure(browser, url)` with the site served and a browser that is under way, as its user's is. */
export async function withBrowser(site, measure) {
    const { server, url } = await startServer(site);
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--no-first-run"] });
    try {
        return await measure(browser, url);
    } finally {
        await browser.close();
        server.closeAllConnections();
        server.close();
    }
}

const settled = (page) => page.waitForFunction(() => window.megamem?.idle?.());

async function open(browser, address, before = () => {}) {
    const page = await browser.newPage({ viewport });
    await page.addInitScript(before);
    await page.goto(address);
    await settled(page);
    return page;
}

// Notes when the steps of loading are done: in milliseconds since the page was asked for.
function noteSteps() {
    const steps = (window.steps = { graphics: 0 });
    const { instantiateStreaming } = WebAssembly;
    WebAssembly.instantiateStreaming = async (...given) => {
        const result = await instantiateStreaming.apply(WebAssembly, given);
        steps.compiled = performance.now();
        return result;
    };
    // The calls that wait for the graphics process: a context is made, shaders are compiled.
    const timed = (prototype, name) => {
        const original = prototype[name];
        prototype[name] = function (...given) {
            const begin = performance.now();
            const result = original.apply(this, given);
            steps.graphics += performance.now() - begin;
            return result;
        };
    };
    timed(HTMLCanvasElement.prototype, "getContext");
    for (const name of ["getParameter", "getProgramParameter", "getShaderParameter", "getUniformLocation"])
        timed(WebGL2RenderingContext.prototype, name);
    const watch = new MutationObserver(() => {
        if (!document.getElementById("loading")?.hidden) return;
        watch.disconnect();
        steps.drawn = performance.now();
        requestAnimationFrame(() => setTimeout(() => (steps.interactive = performance.now())));
    });
    watch.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden"] });
}

// What a visit of nobody's before, with empty caches, has noted.
async function firstVisit(browser, url, locale) {
    const context = await browser.newContext({ viewport, locale });
    const page = await context.newPage();
    await page.addInitScript(noteSteps);
    await page.goto(url);
    await page.waitForFunction(() => window.steps.interactive !== undefined);
    const steps = await page.evaluate(() => {
        const files = performance.getEntriesByType("resource");
        const program = files.filter(({ name }) => /megamem\.(js|wasm)/.test(name));
        return { fetched: Math.max(...program.map((file) => file.responseEnd)), ...window.steps };
    });
    await context.close();
    return steps;
}

/**
 * Milliseconds from asking for the page to each step of loading, as medians of some visits: the program is `fetched`,
 * `compiled`, the first result is `drawn`, and, `interactive`, that is on the screen and input is answered. Inside of
 * them, `graphics` is spent on waiting for the graphics process.
 */
export async function loadingSteps(browser, url, { visits, locale }) {
    const all = [];
    for (let i = 0; i < visits; i++) all.push(await firstVisit(browser, url, locale));
    return Object.fromEntries(Object.keys(all[0]).map((step) => [step, median(all.map((steps) => steps[step]))]));
}

// Calls window.drawn(begin, end) after each frame. By the clock, so what the main thread waits for is in it too.
function noteFrames() {
    const { requestAnimationFrame } = window;
    window.requestAnimationFrame = (callback) =>
        requestAnimationFrame((time) => {
            const begin = performance.now();
            callback(time);
            window.drawn?.(begin, performance.now());
        });
}

/** Milliseconds of the main thread for a frame with 64 ranks, while the mouse moves over their bars. */
export async function frameTime(browser, url) {
    const page = await open(browser, url + manyRanks, noteFrames);
    const { width, height } = viewport;
    await page.mouse.move(width / 2, height / 4);
    await settled(page);
    await page.evaluate(() => {
        window.times = [];
        window.drawn = (begin, end) => window.times.push(end - begin);
    });
    await page.mouse.move(width / 2 + 100, height / 2, { steps: 120 });
    await settled(page);
    const times = await page.evaluate(() => window.times);
    await page.close();
    return median(times);
}

// For each key: the work of the frames until the bars are drawn anew, and the time from the key to the end of it.
function noteKeys() {
    const width = () => window.megamem.items().find(({ label }) => label === "bar 0").w;
    window.keys = [];
    let pressed = null;
    window.addEventListener("keydown", (key) => (pressed = { at: key.timeStamp, work: 0, width: width() }), true);
    window.drawn = (begin, end) => {
        if (pressed === null) return;
        pressed.work += end - begin;
        if (width() === pressed.width) return;
        window.keys.push({ work: pressed.work, wait: end - pressed.at });
        pressed = null;
    };
}

/** {work, wait} in milliseconds, the medians for keys that change every number on the page. */
export async function keyTime(browser, url, count) {
    const page = await open(browser, `${url}?test`, noteFrames);
    const items = await page.evaluate(() => window.megamem.items());
    const { x, y, w, h } = items.find(({ label }) => label === "hidden_size");
    await page.mouse.click(x + w / 2, y + h / 2);
    await page.keyboard.press("End");
    await settled(page);
    await page.evaluate(noteKeys);
    for (let i = 0; i < count; i++) {
        await page.keyboard.press(i % 2 === 0 ? "Backspace" : "8"); // 716, 7168
        await page.waitForFunction((seen) => window.keys.length > seen, i);
        await settled(page);
    }
    const keys = await page.evaluate(() => window.keys);
    await page.close();
    return { work: median(keys.map(({ work }) => work)), wait: median(keys.map(({ wait }) => wait)) };
}

/** How many frames the page draws while nobody touches it. */
export async function idleFrames(browser, url, seconds) {
    const page = await open(browser, url);
    const frames = () => page.evaluate(() => window.megamem.frames());
    const before = await frames();
    await page.waitForTimeout(seconds * 1000);
    const after = await frames();
    await page.close();
    return after - before;
}
