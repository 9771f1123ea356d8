// What people see where the program cannot run: the reason, in the page.
import assert from "node:assert/strict";

import { browserTest, useBrowser } from "./page.mjs";

useBrowser();

async function assertTells(app, pattern) {
    const message = app.page.locator("#failure");
    await message.waitFor({ state: "visible" });
    assert.match(await message.textContent(), pattern);
    assert.equal(await app.page.locator("#loading").isVisible(), false);
    assert.ok(await app.page.locator("#reload").isVisible());
}

browserTest("no WebGL2", {}, async (app) => {
    await app.page.addInitScript(() => {
        const original = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
            return kind === "webgl2" ? null : original.call(this, kind, ...more);
        };
    });
    await app.visit();
    await assertTells(app, /WebGL2/);
});

browserTest("no WebAssembly", {}, async (app) => {
    await app.page.addInitScript(() => {
        delete globalThis.WebAssembly;
    });
    await app.visit();
    await assertTells(app, /WebAssembly/);
});

// The browser and the page both tell of it in the console.
const network = /Failed to load resource|megamem: |ERR_FAILED|wasm/;

browserTest("the binary is not there", { allowed: network }, async (app) => {
    await app.page.route("**/*.wasm*", (route) => route.fulfill({ status: 404, body: "not here" }));
    await app.visit();
    await assertTells(app, /could not be loaded.*404/s);
});

browserTest("the network fails", { allowed: network }, async (app) => {
    await app.page.route("**/*.wasm*", (route) => route.abort());
    await app.visit();
    await assertTells(app, /could not be loaded/);
});

browserTest("the script is not there", { allowed: network }, async (app) => {
    await app.page.route("**/megamem.js*", (route) => route.fulfill({ status: 404, body: "not here" }));
    await app.visit();
    await assertTells(app, /could not be loaded.*megamem\.js/s);
});

browserTest("something else comes in the binary's place", { allowed: network }, async (app) => {
    const body = "<html>Please log in</html>";
    await app.page.route("**/*.wasm*", (route) => route.fulfill({ status: 200, body, contentType: "text/html" }));
    await app.visit();
    await assertTells(app, /could not start/);
});

browserTest("no storage: the page works without", {}, async (app) => {
    await app.page.addInitScript(() => {
        Object.defineProperty(window, "localStorage", {
            get() {
                throw new DOMException("switched off", "SecurityError");
            },
        });
    });
    await app.open("#v=1&m=deepseek-v3&tp=4&z=1");
    await app.assertShowsItsLink();
    await app.click("Theme");
    await app.settle();
});

// The browser fetches the icon by itself, whenever it likes.
const icon = /favicon|ERR_INTERNET_DISCONNECTED|Failed to fetch/;

browserTest("the form and its numbers need no network once loaded, and nothing is sent", { allowed: icon }, async (app) => {
    const requests = [];
    await app.open("#v=1&m=deepseek-v3&z=1");
    app.page.on("request", (request) => {
        if (!icon.test(request.url())) requests.push(request.url());
    });
    await app.page.context().setOffline(true);
    await app.fill("vocab_size", "128000");
    await app.waitForHash(/&vs=128000&/);
    await app.assertShowsItsLink();
    assert.deepEqual(requests, []);
    // The search would read what fields are for; it finds them by name without.
    await app.field("fp8_recipe");
});

browserTest("the program beside the page is not there: said where it is asked, and tried again", { allowed: network, width: 1440 }, async (app) => {
    const desk = "**/megamem-desk.*";
    await app.page.route(desk, (route) => route.fulfill({ status: 404, body: "not here" }));
    await app.open("#v=1&m=deepseek-v3&z=1");
    for (const tab of ["Methods", "Notes"]) {
        await app.click(tab);
        await app.item("Try again");
        await app.click("Memory");
        await app.gone("Try again");
    }
    await app.click("attention.weight");
    await app.item("Try again");
    await app.assertShowsItsLink(); // the rest goes on
    await app.page.unroute(desk);
    await app.click("Notes");
    await app.click("Try again");
    await app.page.locator("#mirror-text h2", { hasText: "Accuracy of this method" }).waitFor({ state: "attached" });
    await app.gone("Try again");
});

browserTest("files that only make it nicer are not there: the page goes on without", { allowed: network }, async (app) => {
    await app.page.route(/(help\.txt|mono\.ttf)/, (route) => route.abort());
    await app.open("#v=1&m=deepseek-v3&z=1");
    await app.click("attention.weight"); // its formula is in the face of code
    await app.fill("micro_batch_size", "2"); // the search reads what fields are for
    await app.waitForHash(/&mb=2&/);
    await app.assertShowsItsLink();
});
