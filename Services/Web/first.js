// Home as the database on the device has it, put on the screen before anything else is read: the picture of the user who is there
// now, written together with the records that it shows (modules/picture.js). main.js draws over it as soon as the core has begun.
"use strict";

globalThis.firstPicture = (async () => {
    if (!/^(#\/?)?$/.test(location.hash)) return false;
    const outcome = (request) => new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
    // Only looks: where there is no database none is made, and whoever wants to change one may.
    async function read(name, store, ...keys) {
        const request = indexedDB.open(name);
        request.onupgradeneeded = () => request.transaction.abort();
        const database = await outcome(request);
        try {
            const values = database.transaction(store).objectStore(store);
            return await Promise.all(keys.map((key) => outcome(values.get(key))));
        } finally {
            database.close();
        }
    }
    const [database, token, users, unit] = await read("stride-session", "values", "database", "token", "users", "unit");
    // Signed out, and another start has not come to the database of nobody's.
    if (!database || (!token && Object.values(users ?? {}).includes(database))) return false;
    const [picture] = await read(database, "screens", "home");
    const now = Date.now();
    if (!picture || now < picture.from || now >= picture.until || (unit ?? picture.unit) !== picture.unit) return false;
    await wholePage();
    const main = document.getElementById("main");
    main.innerHTML = picture.main;
    // The policy forbids styles in what is parsed, not those that a script sets.
    for (const element of main.querySelectorAll("[data-part]")) element.style.setProperty("--part", element.dataset.part);
    document.getElementById("nav").innerHTML = picture.nav;
    main.dataset.picture = "";
    performance.mark("stride:picture");
    return true;
})().catch(() => false); // nothing is kept, or cannot be read: Home waits for the core

async function wholePage() {
    if (document.readyState !== "loading") return;
    await new Promise((read) => document.addEventListener("readystatechange", read, { once: true }));
}

// The app itself, as soon as the picture has been painted; a page that nobody sees may never paint.
globalThis.firstPicture.then(async (isThere) => {
    if (isThere) await new Promise((painted) => { requestAnimationFrame(() => setTimeout(painted)); setTimeout(painted, 50); });
    await wholePage();
    const app = document.importNode(document.getElementById("app").content, true);
    const main = app.querySelector("[src='/main.js']");
    const isRead = new Promise((read) => { main.onload = main.onerror = read; });
    document.head.append(app);
    await isRead;
    if (performance.getEntriesByName("stride:begin").length > 0 || repair()) return;
    document.getElementById("main").textContent = "Stride could not be loaded. Your workouts are safe on this device; load the page again when there is a network.";
});

// Parts of the app that were damaged on the device: main.js does not begin although it was read, or says so itself. Then what is kept is
// thrown away and read again from the server, once; the databases are not touched. Returns whether that is so.
function repair() {
    let isFirst = false;
    try {
        isFirst = navigator.onLine && sessionStorage.getItem("stride-repaired") === null;
        sessionStorage.setItem("stride-repaired", "yes");
    } catch { /* Without a note of it this could go on for ever. */ }
    if (!isFirst) return false;
    Promise.all([
        caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith("stride-")).map((name) => caches.delete(name)))),
        navigator.serviceWorker?.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister()))),
    ]).catch(() => {}).then(() => location.reload());
    return true;
}
addEventListener("stride-damaged", (event) => { if (repair()) event.preventDefault(); });
