// What a model has to tell besides its numbers, in words.
import { dispatch } from "./app.js";
import { h } from "./view.js";
import { local, moment, plural, span, whole } from "./words.js";

const again = () => h("button", { type: "button", class: "button slim line", onclick: () => dispatch({ type: "refresh" }) }, "Try again");
const link = (path, text) => h("a", { class: "button slim line", href: `#/${path}` }, text);

function note(kind, text, ...more) {
    return h("div", { class: `note ${kind}` }, h("p", {}, text), more);
}

// Why the server gave nothing: an answer of somebody between, as in a hotel's network, is not a busy server.
const because = ({ reason }) => ({
    busy: "The server is busy.", unclear: "What answered is not the server as it should be. Perhaps this network wants you to sign in first.",
}[reason] ?? "The server could not be reached.");

const words = {
    sign_in: () => note("wait", "You are not signed in. Everything stays on this device and is sent after you sign in.", link("settings", "Sign in")),
    offline: () => note("", "No network. What you add is kept here and sent later."),
    stale: (notice, asOf) => note("wait", asOf === null ? because(notice)
        : ["Could not refresh. ", because(notice), " This is from ", local(moment(asOf)), "."],
        notice.reason === "busy" && notice.retry_at ? h("p", {}, "The next try is at ", local(moment(notice.retry_at)), ".") : again()),
    waiting: (notice) => note("wait", [because(notice), " ",
        notice.retry_at ? ["The next try is at ", local(moment(notice.retry_at)), "."] : "It is asked again soon."]),
    refused: (notice) => note("bad", `${plural(notice.count, "workout was", "workouts were")} refused by the server.`, link("settings", "Have a look")),
    conflict: () => note("wait", "Another device has set another plan.", link("plan", "Choose one")),
    clock: (notice) => note("wait", ["The clock of this device is ", local(span(Math.abs(notice.milliseconds))), notice.milliseconds > 0 ? " fast" : " slow", ". Set it, so that days are right."]),
    incomplete: () => note("", "Not all of this is on this device yet."),
};

// The notices of a model; some can be left out where a screen says them in another way.
export function notices(model, ...without) {
    const all = model?.notices ?? [];
    // What is missing comes after signing in; there is no need to say both.
    const hidden = all.some(({ code }) => code === "sign_in") ? [...without, "incomplete"] : without;
    const shown = all.filter(({ code }) => words[code] && !hidden.includes(code));
    return h("div", { class: "stack", role: "status", hidden: shown.length === 0 },
        shown.map((notice) => words[notice.code](notice, model.as_of)));
}

// One word on the state of the queue.
export function queueChip(queue, path = "settings") {
    const { waiting, sending, refused, deleting } = queue;
    const open = waiting + deleting;
    if (refused > 0) return h("a", { class: "chip bad", href: `#/${path}` }, `${whole(refused)} refused`);
    if (queue.state === "offline") return h("span", { class: "chip wait" }, open > 0 ? `Offline · ${whole(open)} waiting` : "Offline");
    if (open === 0) return queue.state === "sign_in" ? h("a", { class: "chip wait", href: `#/${path}` }, "Not signed in") : h("span", { class: "chip good" }, "All saved");
    if (sending > 0) return h("span", { class: "chip wait" }, `Sending ${whole(open)}`);
    return h("a", { class: "chip wait", href: `#/${path}` }, `${whole(open)} waiting`);
}
