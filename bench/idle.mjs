// How many frames the page draws while nobody touches it.
import { chromium } from "playwright-core";

import { startServer } from "../scripts/lib/serve.mjs";

export async function idleFrames(site, seconds) {
    const { server, url } = await startServer(site);
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--no-first-run"] });
    try {
        const page = await browser.newPage();
        await page.goto(`${url}?test`);
        await page.waitForFunction(() => window.megamem.idle?.());
        const frames = () => page.evaluate(() => window.megamem.frames());
        const before = await frames();
        await page.waitForTimeout(seconds * 1000);
        return (await frames()) - before;
    } finally {
        await browser.close();
        server.closeAllConnections();
        server.close();
    }
}
