// The account, units, days and weeks, uploads that the server refused, and the user's own data.
import { app, dispatch, model } from "../modules/app.js";
import { choice, field, toFirstFault } from "../modules/forms.js";
import { ask, say } from "../modules/frame.js";
import { download } from "../modules/http.js";
import { notices } from "../modules/notices.js";
import { h } from "../modules/view.js";
import { reason } from "../modules/reasons.js";
import { local, moment, plural, tame } from "../modules/words.js";
import { remove, row } from "./day.js";

export const title = () => "Settings";
export const views = () => [{ view: "settings" }];

let fault = null;
let zones = null;
const ends = new Map(); // id of a workout that lies ahead → when it ended, as proposed

export const leave = () => {
    fault = null;
    ends.clear();
};

export function render() {
    const settings = model("settings");
    return h("div", { class: "stack" },
        h("header", { class: "head" }, h("h1", {}, "Settings")),
        notices(settings, "sign_in", "refused", "offline"),
        account(settings),
        settings?.refused.length > 0 && refused(settings.refused),
        units(),
        settings ? days(settings) : h("div", { class: "ghost" }),
        settings && uploads(settings),
        data(settings));
}

function account(settings) {
    const wantsToken = settings?.notices.some(({ code }) => code === "sign_in");
    const isIn = app.token !== null && !wantsToken;
    const byBrowser = app.config.signIn.issuer !== "" && app.config.signIn.client !== "";
    return h("section", { class: "card", "aria-labelledby": "account" },
        h("h2", { id: "account" }, "Account"),
        isIn ? [
            h("p", {}, "Signed in", app.user && [" as ", h("strong", { class: "wrap" }, h("bdi", {}, tame(app.user.name)))], "."),
            h("button", { type: "button", class: "button", onclick: signOut }, "Sign out"),
        ] : [
            app.token !== null ? h("div", { class: "note wait" }, h("p", {}, "The server wants you to sign in again. What waits here is kept and sent afterwards."))
                : h("p", { class: "soft" }, "Without an account Stride counts on this device only. What you record is sent after you sign in."),
            byBrowser && h("button", { type: "button", class: "button main", onclick: () => app.actions.signInByBrowser().catch(() => say("The sign-in page cannot be reached.")) }, "Sign in"),
            byBrowser ? h("details", {}, h("summary", {}, "Sign in with a token"), tokenForm()) : tokenForm(),
            app.token !== null && h("button", { type: "button", class: "button", onclick: signOut }, "Sign out"),
        ]);
}

const tokenForm = () => h("form", { class: "stack", novalidate: true, "aria-label": "Sign in with a token", onsubmit: signIn },
    field("token", "Token", { autocomplete: "off", autocapitalize: "off", spellcheck: "false", rows: "3" }, fault, "textarea"),
    h("p", { class: "small soft" }, "For development: ", h("code", {}, "./dev token NAME"), " prints one."),
    h("button", { class: "button main" }, "Sign in"));

async function signIn(event) {
    event.preventDefault();
    const form = event.target;
    const text = form.elements.token.value.trim();
    fault = await app.actions.signIn(text) ? null : "This is no token. It has three parts with dots between them.";
    app.draw();
    if (fault) toFirstFault(form);
    else say("Signed in.");
}

async function signOut() {
    const queue = model("settings")?.queue;
    const open = queue ? queue.waiting + queue.deleting : 0;
    const text = open > 0 ? `${plural(open, "upload waits", "uploads wait")} on this device and will be sent when you sign in again.`
        : "Your numbers stay on this device, out of sight until you sign in again. Delete the site's data in the browser to remove them.";
    if (await ask({ title: "Sign out?", text, yes: "Sign out" })) {
        await app.actions.signOut();
        say("Signed out.");
    }
}

function refused(workouts) {
    return h("section", { class: "card", "aria-labelledby": "refused" },
        h("h2", { id: "refused" }, "Refused by the server"),
        h("ul", { class: "list" }, workouts.map((workout) => row(workout, again(workout)))));
}

const discard = (workout) => h("button", { type: "button", class: "button slim bad", onclick: () => remove(workout) }, "Discard");

function again(workout) {
    if (liesAhead(workout)) return endForm(workout);
    return h("div", { class: "actions" },
        h("button", { type: "button", class: "button slim", onclick: () => dispatch({ type: "retry_workout", id: workout.id }) }, "Send again"),
        discard(workout));
}

// Recorded by a clock that was fast and has been set since, or typed in wrongly: only the reader knows when it was.
const liesAhead = ({ end_time: end, reason: why }) => end > Date.now() && (why?.clock_error ?? null) === null;

// The present as a field for days and times wants it, on this device's clock.
function present() {
    const now = new Date();
    return new Date(now - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function endForm(workout) {
    if (!ends.has(workout.id)) ends.set(workout.id, present());
    const send = (event) => {
        event.preventDefault();
        const end = new Date(event.target.elements[0].value).getTime();
        if (end > 0) dispatch({ type: "retry_workout", id: workout.id, end_time: end });
    };
    return h("form", { class: "actions", onsubmit: send },
        field(`end-${workout.id}`, "It lies ahead of this device's clock. When did it end?",
            { type: "datetime-local", required: true, max: ends.get(workout.id), value: ends.get(workout.id) }),
        h("button", { class: "button slim" }, "Send again"), discard(workout));
}

const units = () => h("section", { class: "card", "aria-labelledby": "units" },
    h("h2", { id: "units" }, "Units"),
    choice("unit", "Distance in", [["km", "Kilometres"], ["mi", "Miles"]], app.unit, (unit) => app.actions.setUnit(unit)));

function days(settings) {
    const { time_zone: zone, week_start: start, profile_change: change, device_time_zone: here } = settings;
    zones ??= Intl.supportedValuesOf?.("timeZone") ?? [];
    const chosen = change?.time_zone ?? zone;
    const names = [...new Set([chosen, here, "UTC", ...zones])].filter(Boolean).sort();
    return h("section", { class: "card", "aria-labelledby": "days" },
        h("h2", { id: "days" }, "Days and weeks"),
        change && h("div", { class: change.state === "refused" ? "note bad" : "note wait" },
            h("p", {}, change.state === "refused" ? ["The server refused this. ", change.reason && reason(change.reason)] : "On the way to the server."),
            change.state === "refused" && h("button", { type: "button", class: "button slim line", onclick: () => dispatch({ type: "discard_change", what: "profile" }) }, "Discard")),
        field("zone", "Time zone", { value: chosen, onchange: (event) => dispatch({ type: "set_profile", time_zone: event.target.value }) }, null, "select",
            names.map((name) => h("option", { value: name, key: name }, name.replaceAll("_", " ")))),
        here && h("p", { class: "small soft" }, `On this device days and weeks are counted in ${here.replaceAll("_", " ")}, where it is. `,
            here === chosen ? "The server does the same." : "The server counts your weeks in the zone above, until you choose another."),
        here && here !== chosen && h("p", {},
            h("button", { type: "button", class: "button slim line", onclick: () => dispatch({ type: "set_profile", time_zone: here }) }, `Use ${here.replaceAll("_", " ")}`)),
        choice("week-start", "The week begins on", [["monday", "Monday"], ["sunday", "Sunday"], ["saturday", "Saturday"]], change?.week_start ?? start,
            (day) => dispatch({ type: "set_profile", week_start: day })));
}

function uploads({ queue, as_of: asOf, device_id: device }) {
    const open = queue.waiting + queue.deleting;
    return h("section", { class: "card", "aria-labelledby": "uploads" },
        h("h2", { id: "uploads" }, "This device"),
        h("p", {}, open > 0 ? `${plural(open, "upload waits", "uploads wait")}.` : queue.refused > 0 ? "Nothing waits." : "Everything has reached the server.",
            queue.refused > 0 && ` ${plural(queue.refused, "workout was", "workouts were")} refused, see above.`,
            queue.retry_at && [" Next try: ", local(moment(queue.retry_at)), "."]),
        h("p", { class: "small soft" }, asOf === null ? "The server has not been reached yet." : ["The server was last read ", local(moment(asOf)), "."], device ? ` Known there as ${device}.` : ""),
        h("button", { type: "button", class: "button slim", onclick: () => sendNow(queue) }, "Send and fetch now"));
}

// What is told to wait waits; whoever asks in vain hears why.
async function sendNow({ state, retry_at: at }) {
    await dispatch({ type: "refresh" });
    const told = model("settings")?.notices.find(({ code, retry_at: until }) => (code === "stale" || code === "waiting") && until > Date.now());
    const until = at ?? told?.retry_at;
    if (state === "offline") say("There is no network. It is sent when there is.");
    else if (state === "sign_in") say("Sign in first.");
    else if (until) say(`Not yet: the next try is at ${moment(until)}.`);
    else say("Asking the server …");
}

const data = (settings) => h("section", { class: "card", "aria-labelledby": "data" },
    h("h2", { id: "data" }, "Your data"),
    h("p", { class: "small soft" }, "One line of JSON for everything that the server has of you. Positions are never among it."),
    settings?.erasing && h("div", { class: "note wait", role: "status" }, h("p", {}, "Your data is being deleted.")),
    h("div", { class: "actions" },
        h("button", { type: "button", class: "button", disabled: app.token === null, onclick: exportData }, "Export my data"),
        h("button", { type: "button", class: "button bad", disabled: app.token === null || settings?.erasing === true, onclick: erase }, "Delete my data")));

async function exportData() {
    say("Fetching your data …");
    const file = await download("/v1/export");
    if (!file) return say("Your data could not be fetched. Try again when there is a network.");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = `stride-${new Date().toISOString().slice(0, 10)}.ndjson`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say("Your data has been saved as a file.");
}

async function erase() {
    const yes = await ask({
        title: "Delete all your data?", grave: true, yes: "Delete everything", no: "Keep it",
        text: ["Every workout, plan and board entry of yours is removed from the server and from this device. This cannot be undone.",
            "Export it first if you may want it later."],
    });
    if (yes) await dispatch({ type: "erase_account" });
}
