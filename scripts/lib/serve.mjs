// A static file server for trying the page: this machine only, nothing cached, nothing outside its folder.
// Run as `node serve.mjs FOLDER [--port N]`, or import startServer from a test.
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";

const types = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".ttf": "font/ttf",
    ".webmanifest": "application/manifest+json",
};

// The file that a request path stands for, or null: realpath also sees through symbolic links.
async function resolve(root, url) {
    try {
        const asked = decodeURIComponent(new URL(url, "http://localhost").pathname);
        let file = await realpath(path.join(root, asked));
        if ((await stat(file)).isDirectory()) file = await realpath(path.join(file, "index.html"));
        return file.startsWith(root + path.sep) ? file : null;
    } catch {
        return null;
    }
}

/** Resolves to { server, url } once it listens. Port 0 takes any free one. */
export async function startServer(folder, port = 0) {
    const root = await realpath(folder);
    const server = createServer(async (request, response) => {
        const reply = (status, text) =>
            response.writeHead(status, { "Content-Type": types[".txt"] }).end(`${text}\n`);
        if (request.method !== "GET" && request.method !== "HEAD") return reply(405, "method not allowed");
        const file = await resolve(root, request.url);
        if (!file) return reply(404, "not found");
        response.writeHead(200, {
            "Content-Type": types[path.extname(file)] ?? "application/octet-stream",
            "Content-Length": (await stat(file)).size,
            "Cache-Control": "no-cache",
            "X-Content-Type-Options": "nosniff",
        });
        if (request.method === "HEAD") return response.end();
        createReadStream(file).on("error", () => response.destroy()).pipe(response);
    });
    await new Promise((done, failed) => {
        server.once("error", failed);
        server.listen(port, "127.0.0.1", done);
    });
    return { server, url: `http://127.0.0.1:${server.address().port}/` };
}

async function main([folder, ...options]) {
    let port = 8080;
    const asked = options.length > 0;
    if (asked) {
        const text = options.length === 1 ? options[0].replace(/^--port=/, "") : options[1];
        port = Number(text);
        if (!/^--port(=|$)/.test(options[0]) || options.length > 2 || !/^\d+$/.test(text) || port > 65535) {
            console.error("usage: scripts/serve [--port N]");
            process.exit(2);
        }
    }
    for (const last = port + (asked ? 0 : 20); ; port++) {
        try {
            const { url } = await startServer(folder, port);
            console.log(`megamem is at ${url} (Ctrl+C stops it)`);
            return;
        } catch (error) {
            if (error.code === "EADDRINUSE" && port < last) continue;
            console.error(`cannot serve on port ${port}: ${error.message}`);
            process.exit(1);
        }
    }
}

if (process.argv[1] && (await realpath(process.argv[1])) === fileURLToPath(import.meta.url)) {
    await main(process.argv.slice(2));
}
