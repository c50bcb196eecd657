// Keeps the whole app on the device, so that it starts without a network. The calls of the API pass it by untouched.
//
// `files` holds the SHA-256 of every file of this version (Scripts/assemble-web.sh writes it), so a version is taken in full or
// not at all, also while a server is being given a new one.

const version = "development";
const files = {};

const cacheName = `stride-${version}`;

async function take(cache, path) {
    const answer = await fetch(path, { cache: "no-cache", credentials: "omit" });
    if (!answer.ok) throw new Error(`${path} is ${answer.status}`);
    const bytes = await answer.clone().arrayBuffer();
    const digest = [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))];
    const hash = digest.map((byte) => byte.toString(16).padStart(2, "0")).join("");
    if (hash !== files[path]) throw new Error(`${path} is of another version`);
    await cache.put(path, answer);
}

self.addEventListener("install", (event) => {
    event.waitUntil((async () => {
        const cache = await caches.open(cacheName);
        await Promise.all(Object.keys(files).map((path) => take(cache, path)));
        await cache.put("/", await cache.match("/index.html"));
        // Where the browser can, it takes files from the cache by itself and need not wait until this script runs.
        await event.addRoutes?.(["/", ...Object.keys(files)].map((pathname) =>
            ({ condition: { requestMethod: "GET", urlPattern: { pathname, search: "" } }, source: { cacheName } })));
    })());
});

self.addEventListener("activate", (event) => {
    event.waitUntil((async () => {
        for (const name of await caches.keys()) {
            if (name.startsWith("stride-") && name !== cacheName && name !== "stride-settings") await caches.delete(name);
        }
        await self.clients.claim();
    })());
});

// A new version waits until the page says that nothing is under way.
self.addEventListener("message", (event) => {
    if (event.data === "take over") self.skipWaiting();
});

// What the operator has set: the last known at once, a fresh one for the next time.
async function settings(event) {
    const cache = await caches.open("stride-settings");
    const known = await cache.match("/config.json");
    const fresh = fetch(event.request).then(async (answer) => {
        if (answer.ok) await cache.put("/config.json", answer.clone());
        return answer;
    });
    if (!known) return fresh;
    event.waitUntil(fresh.catch(() => {}));
    return known;
}

self.addEventListener("fetch", (event) => {
    const { method, mode, url } = event.request;
    const { origin, pathname } = new URL(url);
    if (method !== "GET" || origin !== self.location.origin || pathname.startsWith("/v1/")) return;
    if (pathname === "/config.json") return event.respondWith(settings(event));
    const path = mode === "navigate" ? "/index.html" : pathname;
    if (!(path in files)) return;
    event.respondWith((async () => {
        const cache = await caches.open(cacheName);
        return (await cache.match(path)) ?? fetch(event.request);
    })());
});
