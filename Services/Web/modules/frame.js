// What stands around the screens: the ways between them, the place for news, and the one dialog.
import { icon } from "./icons.js";
import { h, show } from "./view.js";

const screens = [
    { path: "", name: "Home", icon: "home" },
    { path: "plan", name: "Plan", icon: "plan" },
    { path: "workout", name: "Workout", icon: "workout", go: true },
    { path: "add", name: "Add by hand", icon: "add", wide: true },
    { path: "history", name: "History", icon: "history", wide: true },
    { path: "board", name: "Board", icon: "board" },
    { path: "settings", name: "Settings", icon: "settings" },
];

// Where the address points: "#/day/2026-11-30" is { name: "day", argument: "2026-11-30" }.
export function place() {
    const [name = "", argument = ""] = location.hash.replace(/^#\/?/, "").split("/");
    try {
        return { name, argument: decodeURIComponent(argument) };
    } catch {
        return { name, argument: "" }; // no text at all
    }
}

export const go = (path) => { location.hash = `#/${path}`; };

// The ways, with the current one marked. A day belongs to home.
export const ways = (current) => h("ul", {}, screens.map((way) =>
    h("li", { class: [way.wide && "wide", way.go && "go"].filter(Boolean).join(" ") || null },
        h("a", { href: `#/${way.path}`, "aria-current": way.path === current ? "page" : null }, icon(way.icon), way.name))));

export const showWays = (current) => show(document.getElementById("nav"), ways(current));

// After a change of screens the reader starts at its heading, as after a page load.
export function arrive(title) {
    document.title = title ? `${title} · Stride` : "Stride";
    window.scrollTo(0, 0);
    const heading = document.querySelector("main h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
}

let newsTimer;

// Says something once, by voice too; an action stays until it is taken or replaced.
export function say(text, action = null) {
    const news = document.getElementById("news");
    clearTimeout(newsTimer);
    show(news);
    show(news, h("p", {}, text, action && h("button", { type: "button", onclick: () => { show(news); action.run(); } }, action.name)));
    if (!action) newsTimer = setTimeout(() => show(news), 6000);
}

// Takes back what is still being said.
export const hush = () => show(document.getElementById("news"));

// Asks a question and resolves to whether it was answered with yes.
export function ask({ title, text, yes, no = "Cancel", grave = false }) {
    const dialog = document.getElementById("dialog");
    return new Promise((resolve) => {
        const end = (answer) => {
            resolve(answer);
            dialog.close();
        };
        dialog.onclose = () => resolve(false);
        show(dialog,
            h("h2", { id: "dialog-title" }, title),
            [text].flat().map((part) => (part.tag ? part : h("p", {}, part))),
            h("div", { class: "actions" },
                h("button", { type: "button", class: "button", onclick: () => end(false) }, no),
                h("button", { type: "button", class: grave ? "button bad" : "button main", onclick: () => end(true) }, yes)));
        dialog.showModal();
    });
}
