// The workout under way: begin, pause, end, and what the sensors give meanwhile.
import { app, dispatch, model } from "../modules/app.js";
import { say } from "../modules/frame.js";
import { notices } from "../modules/notices.js";
import { h } from "../modules/view.js";
import { distance, duration, whole } from "../modules/words.js";

export const title = () => "Workout";
export const views = () => [{ view: "home" }];

// Within the touch that asks for it, since some browsers ask for sensors only then.
async function begin(command) {
    app.actions.startSensors();
    if (!await dispatch({ type: "track", command })) say("The workout could not be started.");
}

const command = (name) => dispatch({ type: "track", command: name });

export function render() {
    const home = model("home");
    if (!home) return h("div", { class: "stack" }, h("header", { class: "head" }, h("h1", {}, "Workout")), h("div", { class: "ghost" }));
    const { state } = home.track;
    return h("div", { class: "stack" },
        h("header", { class: "head" }, h("h1", {}, "Workout"), h("a", { class: "button slim", href: "#/add" }, "Add by hand")),
        notices(home, "offline", "refused", "conflict", "incomplete"),
        state === "off" ? idle() : running(home.track),
        sensorNotes(state !== "off"),
        h("p", { class: "small soft" }, "Steps and metres are counted on this device. Your positions never leave it and are not stored."));
}

function idle() {
    return h("section", { class: "card run", key: "idle", "aria-label": "Begin" },
        h("p", { class: "soft" }, "Take the phone with you, with Stride on the screen."),
        h("button", { type: "button", class: "press", onclick: () => begin("start") }, "Start"),
        h("button", { type: "button", class: "button slim line", onclick: () => begin("listen") }, "Begin by itself when I walk"));
}

const titles = {
    listening: "Begins when you walk", waiting: "Waiting for your first steps", running: "Under way", paused: "Paused",
};

// A rest of a minute ends a workout; it is said once one has begun.
const isResting = ({ state, ends_at: end }) => state === "running" && end !== null && end - Date.now() < 45_000;

function running(track) {
    const { state, start } = track;
    return h("section", { class: "card run", key: "running", "aria-label": "Workout under way" },
        h("p", { role: "status" }, h("strong", {}, isResting(track) ? "Resting" : titles[state] ?? titles.running)),
        h("p", { class: "small soft" }, isResting(track) ? "The workout ends by itself if you don't go on." : ""),
        h("p", { class: "big", id: "live-steps" }, whole(track.steps)),
        h("p", { class: "soft" }, track.steps === 1 ? "step" : "steps"),
        h("dl", { class: "facts" },
            h("div", {}, h("dt", {}, "Distance"), h("dd", { id: "live-distance" }, distance(track.distance, app.unit))),
            h("div", {}, h("dt", {}, "Time"), h("dd", { id: "live-time" }, start === null ? "–" : duration(Date.now() - start)))),
        h("button", { type: "button", class: "press stop", onclick: () => command("end") }, "End"),
        state === "paused"
            ? h("button", { type: "button", class: "button", onclick: () => { app.actions.startSensors(); command("resume"); } }, "Go on")
            : state === "running" && h("button", { type: "button", class: "button", onclick: () => command("pause") }, "Pause"));
}

// Clear words about what does not work, and what to do about it.
function sensorNotes(isOn) {
    const { motion, position, screen } = app.sensors;
    const retry = () => h("button", { type: "button", class: "button slim line", onclick: () => app.actions.startSensors(true) }, "Ask again");
    const notes = [];
    if (motion === "denied") {
        notes.push(h("div", { class: "note bad", role: "alert" }, h("p", {}, h("strong", {}, "Steps are not counted: "),
            "this browser may not read the motion sensor. Allow “Motion sensors” for this page in the browser's site settings, or add the walk by hand afterwards."), retry()));
    } else if (motion === "absent" && isOn) {
        notes.push(h("div", { class: "note wait", role: "alert" }, h("p", {}, h("strong", {}, "No steps: "),
            "no motion sensor answers on this device. Distance is still measured where the position is known."), retry()));
    }
    if (position === "denied") {
        notes.push(h("div", { class: "note bad", role: "alert" }, h("p", {}, h("strong", {}, "Distance is not measured: "),
            "this browser may not know the position. Allow “Location” for this page in the browser's site settings.", motion === "granted" ? " Steps are counted all the same." : ""), retry()));
    } else if (isOn && position === "absent") {
        notes.push(h("div", { class: "note wait" }, h("p", {}, "This browser has no position. Steps are counted all the same.")));
    } else if (isOn && position === "searching") {
        notes.push(h("div", { class: "note" }, h("p", {}, "Looking for the position. Distance begins when it is known.")));
    }
    if (isOn && screen === false) {
        notes.push(h("div", { class: "note" }, h("p", {}, "The screen may go dark by itself here, and counting stops with it. Set a longer screen time, or touch it now and then.")));
    } else if (isOn && screen === true) {
        notes.push(h("div", { class: "note" }, h("p", {}, "The screen stays on while the workout runs, because browsers stop the sensors with it.")));
    }
    return notes;
}
