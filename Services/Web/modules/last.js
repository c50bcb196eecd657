// Keeps Home as it is shown for the next start: first.js shows it while the database is opened and the core begins.

const main = document.getElementById("main");

// Whether what first.js showed is still there.
export const isShown = () => "kept" in main.dataset;
export const hasGone = () => { delete main.dataset.kept; };

// Whose numbers may be shown at the next start: the name of a database, or null for nobody's.
export function follow(database) {
    try {
        if (database === null) localStorage.removeItem("stride-home-of");
        else localStorage.setItem("stride-home-of", database);
        if (database === null) localStorage.removeItem("stride-home");
    } catch { /* This browser keeps nothing: Home waits for the core. */ }
}

let timer;

// Keeps what stands there a moment after the last change, unless another screen has come.
export function keep(of, isStill) {
    clearTimeout(timer);
    timer = setTimeout(() => {
        if (!isStill()) return;
        const copy = main.cloneNode(true);
        for (const element of copy.querySelectorAll("[style]")) {
            element.dataset.part = element.style.getPropertyValue("--part");
            element.removeAttribute("style");
        }
        const kept = { of, day: new Date().toDateString(), main: copy.innerHTML, nav: document.getElementById("nav").innerHTML };
        try {
            localStorage.setItem("stride-home", JSON.stringify(kept));
        } catch { /* as above */ }
    }, 300);
}
