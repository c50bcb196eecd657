// A workout that was not recorded here.
import { app, dispatch } from "../modules/app.js";
import { field, toFirstFault } from "../modules/forms.js";
import { go, say } from "../modules/frame.js";
import { h } from "../modules/view.js";
import { decimalSign, readDecimal, readWhole, toMetres } from "../modules/words.js";

export const title = () => "Add by hand";
export const views = () => [{ view: "home" }];

let faults = {};
let sending = false;

export const leave = () => { faults = {}; };

const two = (value) => String(value).padStart(2, "0");

export function render() {
    const begin = new Date(Date.now() - 30 * 60_000);
    return h("div", { class: "stack" },
        h("header", { class: "head" }, h("h1", {}, "Add by hand")),
        h("form", { class: "card", novalidate: true, onsubmit: submit, "aria-label": "Workout" },
            h("div", { class: "fields" },
                field("day", "Day", { type: "date", required: true, value: once("day", `${begin.getFullYear()}-${two(begin.getMonth() + 1)}-${two(begin.getDate())}`) }, faults.day),
                field("time", "Start", { type: "time", required: true, value: once("time", `${two(begin.getHours())}:${two(begin.getMinutes())}`) }, faults.time),
                field("minutes", "Minutes", { inputmode: "decimal", autocomplete: "off", required: true, value: "30" }, faults.minutes)),
            h("div", { class: "fields" },
                field("steps", "Steps", { inputmode: "numeric", autocomplete: "off" }, faults.steps),
                field("distance", `Distance (${app.unit})`, { inputmode: "decimal", autocomplete: "off" }, faults.distance)),
            faults.all && h("p", { class: "fault", role: "alert" }, faults.all),
            h("div", { class: "actions" },
                h("button", { class: "button main", disabled: sending }, "Add workout"),
                h("a", { class: "button", href: "#/" }, "Cancel"))),
        h("p", { class: "small soft" }, "It counts at once on this device, and on your others once the server has it."));
}

// The first proposal stays while the form is open.
const proposed = {};
function once(name, value) {
    const key = `${location.hash} ${name}`;
    return (proposed[key] ??= value);
}

// The next midnight on this device's clock.
const tomorrow = () => new Date().setHours(24, 0, 0, 0);

// Reads the form; what it means for days and totals the core decides.
function read(form) {
    const text = Object.fromEntries(new FormData(form));
    const found = {};
    const start = new Date(`${text.day}T${text.time}`).getTime();
    if (!text.day || Number.isNaN(new Date(`${text.day}T00:00`).getTime())) found.day = "Choose a day.";
    if (!text.time) found.time = "Say when it began.";
    const minutes = readDecimal(text.minutes);
    if (!(minutes > 0 && minutes <= 48 * 60)) found.minutes = "Between 1 minute and 48 hours (2880).";
    const end = Math.round(start + minutes * 60_000);
    if (!found.day && !found.time && start > Date.now()) found[start >= tomorrow() ? "day" : "time"] = "It lies ahead: choose a time that is over.";
    else if (!found.minutes && end > Date.now() + 60_000) found.minutes = "It would end after now. Give fewer minutes, or an earlier start.";
    const steps = text.steps.trim() === "" ? 0 : readWhole(text.steps);
    if (!Number.isInteger(steps) || steps > 500_000) found.steps = "A whole number up to 500 000.";
    const metres = text.distance.trim() === "" ? 0 : toMetres(readDecimal(text.distance), app.unit);
    if (!(metres >= 0 && metres <= 500_000)) found.distance = `A number up to ${app.unit === "mi" ? "310 miles" : "500 kilometres"}, with “${decimalSign()}” before decimals.`;
    if (steps === 0 && metres === 0 && !found.steps && !found.distance) found.steps = "Give steps, a distance, or both.";
    return { found, event: { type: "add_workout", start_time: start, end_time: end, steps, distance: Math.round(metres * 1000) / 1000 } };
}

async function submit(submission) {
    submission.preventDefault();
    const form = submission.target;
    const { found, event } = read(form);
    faults = found;
    if (Object.keys(found).length > 0) {
        app.draw();
        toFirstFault(form);
        return;
    }
    sending = true;
    const taken = await dispatch(event);
    sending = false;
    if (!taken) {
        faults = { all: "There can be no such workout. Look at the day and the times." };
        app.draw();
        return;
    }
    for (const key of Object.keys(proposed)) delete proposed[key];
    say("Added.");
    go("");
}
