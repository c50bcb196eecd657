// The workouts of one day.
import { app, dispatch, model } from "../modules/app.js";
import { ask } from "../modules/frame.js";
import { icon } from "../modules/icons.js";
import { notices } from "../modules/notices.js";
import { h } from "../modules/view.js";
import { reason } from "../modules/reasons.js";
import { clock, dayOf, distance, local, longDay, plural, span, whole } from "../modules/words.js";

// A day of the calendar in the years that count: 2026-02-30 is none.
function isDay(text) {
    const time = /^2[01]\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
    return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export const title = (day) => (isDay(day) ? longDay(day) : "Day");
export const views = (day) => (isDay(day) ? [{ view: "day", day }] : []);

const states = {
    waiting: ["wait", "Waiting"], sending: ["wait", "Sending"], refused: ["bad", "Refused"], deleting: ["wait", "Being deleted"],
};

export function render(day) {
    if (!isDay(day)) return h("div", { class: "stack" }, h("header", { class: "head" }, h("h1", {}, "There is no such day")), h("p", {}, h("a", { href: "#/history" }, "All days")));
    const content = model("day", day);
    return h("div", { class: "stack" },
        h("header", { class: "head" }, h("h1", {}, local(longDay(day))), h("a", { class: "button slim", href: "#/history" }, icon("history"), "All days")),
        notices(content, "offline"),
        content ? h("section", { class: "card", "aria-label": "Total of the day" },
            h("dl", { class: "facts" },
                h("div", {}, h("dt", {}, "Steps"), h("dd", {}, whole(content.steps.total))),
                h("div", {}, h("dt", {}, "Distance"), h("dd", {}, distance(content.distance.total, app.unit))),
                content.steps.total !== content.steps.confirmed && h("div", {}, h("dt", {}, "Confirmed"), h("dd", {}, whole(content.steps.confirmed)))))
            : h("div", { class: "ghost" }),
        content && h("section", { class: "card", "aria-labelledby": "workouts" },
            h("h2", { id: "workouts" }, "Workouts"),
            content.workouts.length === 0
                ? h("p", { class: "soft" }, "No workouts on this day.")
                : h("ul", { class: "list" }, content.workouts.map((workout) => row(workout)))));
}

// Where a workout's numbers come from: typed in or counted, here or elsewhere.
const origin = ({ source, is_mine: isMine }) =>
    (source === "manual" ? "added by hand" : isMine ? "counted here" : "counted") + (isMine ? "" : " on another device");

// One workout; also for the list of refused ones.
export function row(workout, more = null) {
    const { start_time: start, end_time: end, time_zone: zone, state } = workout;
    const [kind, word] = states[state] ?? [];
    return h("li", { key: workout.id, class: more ? "tall" : null },
        h("div", { class: "what" },
            h("h3", {}, local(`${clock(start, zone)} – ${clock(end, zone)}`)),
            h("small", {}, [more && local(dayOf(start, zone)), local(span(end - start)), origin(workout)]
                .filter(Boolean).flatMap((part, index) => (index > 0 ? [" · ", part] : [part]))),
            word && h("span", { class: `chip ${kind}` }, word),
            workout.reason && h("p", { class: "small wrap" }, reason(workout.reason))),
        h("div", { class: "much" }, whole(workout.steps), h("small", {}, distance(workout.distance, app.unit))),
        more,
        state !== "deleting" && !more && h("button", {
            type: "button", class: "button slim", "aria-label": `Delete the workout of ${clock(start, zone)}`, onclick: () => remove(workout),
        }, icon("remove")));
}

export async function remove(workout) {
    const yes = await ask({
        title: "Delete this workout?", grave: true, yes: "Delete", no: "Keep",
        text: `${plural(workout.steps, "step", "steps")} and ${distance(workout.distance, app.unit)} leave your totals.`,
    });
    if (yes) await dispatch({ type: "delete_workout", id: workout.id });
}
