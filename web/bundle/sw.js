// Keeps one build of the page, whole, and answers with it: the page is quick, works without a network, and never is
// half old and half new. scripts/bundle puts `build`, `hashed` and `plain` before this: the build's identity and its
// files, those named by their content and the others.

// Pages of other folders may share this origin's caches.
const prefix = `megamem ${registration.scope} `;
const own = prefix + build;

async function keep() {
    const cache = await caches.open(own);
    const page = await fetch("index.html", { cache: "no-cache" });
    const text = await page.text();
    // In the middle of an upload; the browser tries again at the next visit.
    if (!page.ok || !text.includes(build)) throw new Error("index.html is of another build");
    await Promise.all([
        ...hashed.map(async (name) => {
            const known = await caches.match(name, { ignoreVary: true });
            await (known ? cache.put(name, known) : cache.add(name));
        }),
        ...plain.map((name) => cache.add(new Request(name, { cache: "no-cache" }))),
    ]);
    // Made anew, as a response that was redirected to may not open a page.
    await cache.put("index.html", new Response(text, { headers: { "Content-Type": "text/html; charset=utf-8" } }));
}

async function takeOver() {
    // In another tab, a page of an older build may still ask for its parts. They go the next time.
    const pages = await clients.matchAll({ type: "window" });
    if (pages.length <= 1) {
        const names = await caches.keys();
        await Promise.all(
            names.filter((name) => name.startsWith(prefix) && name !== own).map((name) => caches.delete(name)),
        );
    }
    await clients.claim();
}

async function answer(request) {
    const address = request.url.replace(/[?#].*/, "");
    const name = address === registration.scope ? "index.html" : address;
    const cache = await caches.open(own);
    const known = await cache.match(name, { ignoreVary: true });
    return known ?? (await caches.match(name, { ignoreVary: true })) ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(takeOver()));
addEventListener("message", (event) => {
    if (event.data === "take over") skipWaiting();
});
addEventListener("fetch", (event) => {
    if (event.request.method === "GET") event.respondWith(answer(event.request));
});
