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
