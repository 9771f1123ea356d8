// The package in browsers: served as files, without a bundler, under a strict content security policy.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import puppeteer from "puppeteer-core";

import { startServer } from "../../scripts/lib/serve.mjs";
import { issueScenario, issueTotals } from "../node/support.mjs";
import { Project } from "./support.mjs";

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const program = `
import { load } from "./node_modules/megamem/web/index.mjs";
import { createWorker } from "./node_modules/megamem/web/worker.mjs";

const scenario = ${JSON.stringify(issueScenario)};
const totals = (report) => report.ranks.map((rank) => rank.totals.total);
const messageOf = (promise) => promise.then(() => "no error", (error) => error.message);
async function main() {
    const megamem = await load();
    const worker = await createWorker();
    const here = totals(megamem.estimate(scenario, { method: "calculator" }));
    const there = totals(await worker.estimate(scenario, { method: "calculator" }));
    const wrong = await messageOf(worker.estimate(7));
    worker.terminate();
    const missing = await messageOf(load({ locateFile: () => "missing.wasm" }));
    return { here, there, wrong, missing };
}
main().catch((error) => ({ broken: String(error) })).then((result) => {
    document.querySelector("output").value = JSON.stringify(result);
    document.title = "done";
});
`;

let project;
let served;
before(async () => {
    project = new Project();
    project.write("program.mjs", program);
    const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
    project.write("index.html", `<!doctype html>${meta}<output></output><script type="module" src="program.mjs"></script>`);
    served = await startServer(project.folder);
});
after(() => {
    served?.server.close();
    project.remove();
});

const browsers = {
    Chromium: () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] }),
    Firefox: () =>
        puppeteer.launch({ browser: "firefox", executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr" }),
};

for (const [name, launch] of Object.entries(browsers)) {
    test(`${name}: the module and the worker give the same report as Node`, async () => {
        const browser = await launch();
        try {
            const page = await browser.newPage();
            await page.goto(served.url);
            await page.waitForFunction(() => document.title === "done");
            const result = JSON.parse(await page.evaluate(() => document.querySelector("output").value));
            assert.equal(result.broken, undefined);
            assert.deepEqual(result.here, issueTotals);
            assert.deepEqual(result.there, issueTotals);
            assert.equal(result.wrong, "megamem: the scenario is an object, not a value of type number");
            assert.equal(result.missing, "megamem: missing.wasm answers 404");
        } finally {
            await browser.close();
        }
    });
}
