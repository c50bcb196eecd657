// The first picture: Home as a record of its own beside those of the core, written with what it shows in one transaction (core.js).
// first.js puts it on the screen at the next start, while modules are read and the core begins.
import * as home from "../screens/home.js";
import { app } from "./app.js";
import { ways } from "./frame.js";
import { h, show } from "./view.js";
import { zone } from "./zones.js";

const main = document.getElementById("main");

// Whether what first.js showed is still there.
export const isShown = () => "picture" in main.dataset;
export const hasGone = () => { delete main.dataset.picture; };

// What Home shows of a model, good until its day ends.
export function pictureOf(model) {
    return {
        store: "screens", key: "home",
        value: {
            from: Date.now(), until: endOf(model.today, model.time_zone), unit: app.unit,
            main: html(h("div", {}, home.screen(model))), nav: html(ways("")),
        },
    };
}

function html(tree) {
    const room = document.createElement("div");
    show(room, tree);
    // The policy forbids styles in what is parsed; first.js sets them.
    for (const element of room.querySelectorAll("[style]")) {
        element.dataset.part = element.style.getPropertyValue("--part");
        element.removeAttribute("style");
    }
    return room.innerHTML;
}

// When a day of the calendar ends there, in milliseconds.
function endOf(day, name) {
    const offsets = zone(name)?.offsets;
    if (!offsets) return 0;
    const ahead = (instant) => 1000 * (offsets.findLast(([from]) => from <= instant) ?? offsets[0])[1];
    const end = Date.parse(`${day}T00:00:00Z`) + 86_400_000;
    return end - ahead(end - ahead(end));
}
