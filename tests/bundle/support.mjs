// The bundle in a real browser: made of the built page once for a test file, opened from a plain server or from the disk.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

import { App } from "../browser/page.mjs";
import { root } from "../node/support.mjs";

const site = path.join(root, "build/web/site");

const script = `torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py --num-layers 24 --hidden-size 2048
    --num-attention-heads 16 --seq-length 4096 --max-position-embeddings 4096 --vocab-size 50304
    --micro-batch-size 2 --global-batch-size 64 --tensor-model-parallel-size 2 --bf16`.replace(/\n/g, " \\\n");

/** A folder that is gone when the process ends. */
export function temporaryFolder() {
    const folder = mkdtempSync(path.join(tmpdir(), "megamem-bundle-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
}

/** Makes a bundle of the built page, or of a changed copy of it; returns its folder. */
export function makeBundle(from = site) {
    const dist = temporaryFolder();
    execFileSync(process.execPath, [path.join(root, "scripts/lib/bundle.mjs"), from, dist]);
    return dist;
}

/** The file of the page in one file. */
export function wholePage(dist) {
    const version = readFileSync(path.join(dist, "site/index.html"), "utf8").match(/data-version="([^"]+)"/)[1];
    return path.join(dist, `megamem-${version}.html`);
}

/**
 * The plainest server there is, and a bad one: no types but HTML's and scripts', no cache headers. `state.folder` can
 * be changed while it runs, `asked` holds the paths asked for.
 */
export async function servePlainly(folder, under = "/tools/megamem/") {
    const state = { folder, asked: [] };
    const server = createServer((request, response) => {
        const { pathname } = new URL(request.url, "http://localhost");
        state.asked.push(pathname);
        try {
            if (!pathname.startsWith(under)) throw new Error("elsewhere");
            const name = pathname.slice(under.length) || "index.html";
            const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
            const type = types[path.extname(name)] ?? "text/plain";
            response.writeHead(200, { "Content-Type": type }).end(readFileSync(path.join(state.folder, name)));
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    state.url = `http://127.0.0.1:${server.address().port}${under}`;
    state.stop = () => {
        server.closeAllConnections();
        return new Promise((done) => server.close(done));
    };
    return state;
}

/** The page at an address; `complaints` are its messages in the console, `requests` what it asked of the network. */
export class Visit extends App {
    constructor(page, hands, address, remarks) {
        super(page, hands);
        this.address = address;
        this.complaints = [];
        this.requests = [];
        page.on("pageerror", (error) => this.complaints.push(String(error)));
        page.on("console", (message) => {
            const isBad = ["error", "warning", "warn", "assert"].includes(message.type());
            if (isBad && !remarks.test(message.text())) this.complaints.push(message.text());
        });
        page.on("request", (request) => this.requests.push(request.url()));
    }

    async visit(hash = "") {
        await this.page.goto(`${this.address}?test${hash}`);
    }

    /** All that was asked for begins like this, and nothing was complained of. */
    assertQuiet(...beginnings) {
        const known = [...beginnings, "data:", "blob:"];
        assert.deepEqual(this.requests.filter((url) => !known.some((each) => url.startsWith(each))), []);
        assert.deepEqual(this.complaints, [], "messages in the console");
    }

    /** Chinese, an import and a link typed by hand: what is loaded late, and works. */
    async useAll() {
        await this.page.evaluate(() => (location.hash = "#v=1&m=deepseek-v3&tp=4&z=1"));
        await this.waitForHash(/tp=4/);
        const [before] = await this.totals();
        await this.page.evaluate(() => (location.hash = "#v=1&m=deepseek-v3&tp=8&z=1"));
        await this.page.waitForFunction((total) => {
            const table = document.querySelector("#mirror-text th[data-exact=rank]")?.closest("table");
            const cells = table?.tBodies[0].rows[0].cells;
            return cells && Number(cells[cells.length - 1].dataset.exact) !== total;
        }, before);
        await this.paste(script);
        await this.click("Apply");
        await this.gone("Apply");
        await this.waitForHash(/mb=2/);
        await this.click("Language");
        await this.page.waitForFunction(
            () => document.documentElement.lang === "zh-CN" && /[\u4e00-\u9fff]/.test(document.getElementById("mirror-headline").textContent),
        );
        await this.settle();
    }
}

/** Opens the page at an address in a fresh profile and hands it to `run`. */
export async function withVisit(driver, address, run, options = {}) {
    const { page, hands, close } = await driver.open({ width: 1280, height: 720, scale: 1, ...options });
    page.setDefaultTimeout(60_000); // all parts are loaded, and kept
    const visit = new Visit(page, hands, address, driver.remarks);
    try {
        return await run(visit);
    } catch (error) {
        const file = path.join(mkdtempSync(path.join(tmpdir(), "megamem-failure-")), "page.png");
        await page.screenshot({ path: file }).catch(() => {});
        console.error(`${file}\n${visit.complaints.join("\n")}`);
        throw error;
    } finally {
        await close();
    }
}
