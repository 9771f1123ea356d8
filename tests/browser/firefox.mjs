// Debian's Firefox ESR on a screen of its own, driven over WebDriver BiDi by puppeteer-core. Its pages bear Playwright's
// names and arguments, as far as the tests use them, so that a test is the same in both browsers.
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import puppeteer from "puppeteer-core";

import { FirefoxPage } from "./firefox_page.mjs";

const executablePath = process.env.FIREFOX ?? "/usr/bin/firefox-esr";

let display; // {name, stop}
let browser;
let chrome; // runs functions in the browser's own window
let elsewhere; // another page, for the clipboard

// An X server that shows nothing, with room for the largest window of the tests. However this process ends, the shell
// then reads no more, ends the server, without which Firefox ends too, and removes what it has left in `home`.
async function startDisplay(home) {
    const command = `Xvfb -displayfd 3 -screen 0 3000x2000x24 -nolisten tcp & exec 3>&-
        cat; kill $!; wait; rm -rf "$0" || { sleep 2; rm -rf "$0"; }`;
    const shell = spawn("sh", ["-c", command, home], { stdio: ["pipe", "ignore", "ignore", "pipe"], detached: true });
    const name = await new Promise((done, failed) => {
        shell.once("error", failed);
        shell.stdio[3].once("data", (number) => done(`:${String(number).trim()}`));
        shell.stdio[3].once("end", () => failed(new Error("Xvfb did not start; is it installed?")));
    });
    return { name, stop: () => shell.stdin.end() };
}

function clean() {
    browser?.process()?.kill("SIGKILL");
    display?.stop();
}
const end = () => process.exit(1); // which cleans

// The browser's own window, where settings can be changed and input methods work. Puppeteer has no call for it.
async function chromeWindow() {
    const { connection } = browser;
    const { result: tree } = await connection.send("browsingContext.getTree", { "moz:scope": "chrome" });
    const target = { context: tree.contexts[0].context };
    return async (run, argument) => {
        const { result } = await connection.send("script.callFunction", {
            functionDeclaration: `(text) => (${run})(JSON.parse(text))`,
            arguments: [{ type: "string", value: JSON.stringify(argument ?? null) }],
            awaitPromise: true,
            target,
        });
        if (result.type === "exception") throw new Error(result.exceptionDetails.text);
        return result.result.value;
    };
}

const setPreferences = (preferences) =>
    chrome((wanted) => {
        for (const [name, value] of Object.entries(wanted)) {
            if (typeof value === "number") Services.prefs.setIntPref(name, value);
            else Services.prefs.setStringPref(name, value);
        }
    }, preferences);

const systemTheme = (colorScheme) => ({ "ui.systemUsesDarkTheme": colorScheme === "dark" ? 1 : 0 });

// What people do with a page that has no name in Playwright.
function handsOn(page) {
    const compose = async (text, finish) => {
        await chrome(
            ([content, last]) => {
                window.inputMethod ??= Cc["@mozilla.org/text-input-processor;1"].createInstance(
                    Ci.nsITextInputProcessor,
                );
                const method = window.inputMethod;
                if (!method.beginInputTransactionForTests(window)) throw new Error("no input method");
                if (last) return method.commitCompositionWith(content);
                method.setPendingCompositionString(content);
                method.appendClauseToPendingComposition(content.length, method.ATTR_RAW_CLAUSE);
                method.setCaretInPendingComposition(content.length);
                method.flushPendingComposition();
            },
            [text, finish],
        );
        await page.evaluate(() => new Promise((done) => setTimeout(done))); // until the page has heard of it
    };
    let finger;
    return {
        compose: (text) => compose(text, text === ""),
        commit: (text) => compose(text, true),
        touch: (type, x, y) => {
            if (type === "start") finger = page.touchscreen.touchStart(x, y);
            return finger.then((touch) => (type === "move" ? touch.move(x, y) : type === "end" && touch.end()));
        },
        setSystemTheme: async (colorScheme) => {
            await setPreferences(systemTheme(colorScheme));
            const arrived = (scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches;
            await page.waitForFunction(arrived, {}, colorScheme);
        },
        // By keys in another tab, as from another program: no permission has a part in it.
        copyElsewhere: async (text) => {
            await elsewhere.inner.bringToFront();
            await elsewhere.evaluate((content) => {
                const field = document.querySelector("textarea");
                field.value = content;
                field.select();
            }, text);
            await elsewhere.keyboard.press("Control+c");
            await page.bringToFront();
        },
        clipboard: async () => {
            await elsewhere.inner.bringToFront();
            await elsewhere.evaluate(() => {
                const field = document.querySelector("textarea");
                field.value = "";
                field.focus();
            });
            await elsewhere.keyboard.press("Control+v");
            const text = await elsewhere.evaluate(() => document.querySelector("textarea").value);
            await page.bringToFront();
            return text;
        },
    };
}

export const firefox = {
    timeout: 120_000, // of a test: without a graphics card it is slower than Chromium
    remarks: /^$/, // none

    async start() {
        process.once("exit", clean);
        for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, end);
        // A home of this run's own, which must belong to who runs it; the profile goes there too.
        const home = mkdtempSync(path.join(tmpdir(), "megamem-firefox-"));
        display = await startDisplay(home);
        browser = await puppeteer.launch({
            browser: "firefox",
            executablePath,
            headless: false,
            args: ["--remote-allow-system-access", "--width=2700", "--height=1700"],
            env: { ...process.env, HOME: home, DISPLAY: display.name, MOZ_ENABLE_WAYLAND: "0" },
            userDataDir: path.join(home, "profile"),
            handleSIGINT: false,
            handleSIGTERM: false,
            handleSIGHUP: false,
            timeout: 120_000,
            protocolTimeout: 120_000,
        });
        chrome = await chromeWindow();
        const [first] = await browser.pages();
        await first.setContent("<textarea></textarea>");
        elsewhere = new FirefoxPage(first);
    },

    async stop() {
        await browser?.close();
        clean();
        process.off("exit", clean);
        for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, end);
    },

    async open(options) {
        const { width, height, scale, colorScheme, locale = "en-US", reducedMotion, hasTouch = false } = options;
        await setPreferences({
            "layout.css.devPixelsPerPx": String(scale),
            ...systemTheme(colorScheme),
            "ui.prefersReducedMotion": reducedMotion === "reduce" ? 1 : 0,
            "intl.accept_languages": locale,
        });
        const context = await browser.createBrowserContext();
        const page = await context.newPage();
        page.setDefaultTimeout(30_000);
        await page.setViewport({ width, height, hasTouch });
        return { page: new FirefoxPage(page), hands: handsOn(page), close: () => context.close() };
    },
};
