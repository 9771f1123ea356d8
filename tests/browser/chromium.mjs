// Debian's Chromium, driven by Playwright.
import { chromium as playwright } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const args = [
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // One look on all machines: drawn by the renderer that comes with the browser.
    "--use-angle=swiftshader",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--hide-scrollbars",
];

let browser;

// What people do with a page that has no name in Playwright.
async function handsOn(page) {
    const session = await page.context().newCDPSession(page);
    return {
        compose: (text) => {
            const end = { selectionStart: text.length, selectionEnd: text.length };
            return session.send("Input.imeSetComposition", { text, ...end });
        },
        commit: (text) => session.send("Input.insertText", { text }),
        touch: (type, x, y) => {
            const names = { start: "touchStart", move: "touchMove", end: "touchEnd" };
            const touchPoints = type === "end" ? [] : [{ x, y }];
            return session.send("Input.dispatchTouchEvent", { type: names[type], touchPoints });
        },
        setSystemTheme: (colorScheme) => page.emulateMedia({ colorScheme }),
        copyElsewhere: (text) => page.evaluate((content) => navigator.clipboard.writeText(content), text),
        clipboard: () => page.evaluate(() => navigator.clipboard.readText()),
    };
}

export const chromium = {
    timeout: 60_000,
    // The driver's remark on screenshots; not the page's doing.
    remarks: /GPU stall due to ReadPixels/,

    async start() {
        browser = await playwright.launch({ executablePath, args });
    },

    async stop() {
        await browser?.close();
    },

    async open({ width, height, scale, ...options }) {
        const context = await browser.newContext({
            viewport: { width, height },
            // A page must not mistake the screen for its window.
            screen: { width: 1920, height: 1080 },
            deviceScaleFactor: scale,
            permissions: ["clipboard-read", "clipboard-write"],
            ...options,
        });
        const page = await context.newPage();
        page.setDefaultTimeout(15_000);
        return { page, hands: await handsOn(page), close: () => context.close() };
    },
};
