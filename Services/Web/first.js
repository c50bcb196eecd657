// Home as it was last shown, put on the screen before anything else is read: a copy of what the core made of the database, of
// this user and this day only. main.js draws over it as soon as it can, and keeps the copy (modules/last.js).
"use strict";

(() => {
    try {
        const kept = JSON.parse(localStorage.getItem("stride-home"));
        const of = localStorage.getItem("stride-home-of");
        const isHome = /^(#\/?)?$/.test(location.hash);
        if (!isHome || kept === null || kept.of !== of || kept.day !== new Date().toDateString()) return;
        const main = document.getElementById("main");
        main.innerHTML = kept.main;
        // The policy forbids styles in what is parsed, not those that a script sets.
        for (const element of main.querySelectorAll("[data-part]")) element.style.setProperty("--part", element.dataset.part);
        document.getElementById("nav").innerHTML = kept.nav;
        main.dataset.kept = "";
    } catch { /* Nothing is kept, or cannot be read: Home waits for the core. */ }
})();

// Parts of the app that were damaged on the device: after everything was read main.js has not begun, or says so itself. Then what is
// kept is thrown away and read again from the server, once; the databases are not touched.
(() => {
    const hasBegun = () => performance.getEntriesByName("stride:begin").length > 0;
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
    addEventListener("load", () => {
        if (hasBegun()) return;
        if (repair()) return;
        document.getElementById("main").textContent = "Stride could not be loaded. Your workouts are safe on this device; load the page again when there is a network.";
    });
})();
