// Seven days as bars, the goal as a line across them; and the weeks of a plan as small ones.
import { h } from "./view.js";
import { local, longDay, plural, weekday, whole } from "./words.js";

const part = (value, top) => ({ "--part": String(top > 0 ? value / top : 0) });

// Days from the oldest to today: { day, confirmed, waiting }. A bar opens its day.
export function weekBars(days, goal, today) {
    const top = Math.max(goal * 1.1, ...days.map((day) => day.confirmed + day.waiting), 1);
    return h("div", { class: "bars" },
        goal > 0 && h("div", { class: "goal", style: part(goal, top), "aria-hidden": "true" }),
        h("ol", { "aria-label": goal > 0 ? `The last seven days; the goal is ${plural(goal, "step", "steps")} a day` : "The last seven days" },
            days.map((day) => h("li", { key: day.day }, bar(day, top, today)))));
}

function bar({ day, confirmed, waiting }, top, today) {
    const total = confirmed + waiting;
    const words = `: ${plural(total, "step", "steps")}${waiting > 0 ? `, of these ${whole(waiting)} waiting` : ""}`;
    return h("a", { href: `#/day/${day}`, "aria-current": day === today ? "date" : null },
        h("span", { class: "unseen" }, local(longDay(day)), words),
        h("div", { class: "pole", "aria-hidden": "true" },
            h("b", {}, total > 0 ? whole(total) : ""),
            waiting > 0 && h("i", { class: "wait top", style: part(waiting, top) }),
            confirmed > 0 && h("i", { class: waiting > 0 ? "" : "top", style: part(confirmed, top) }),
            total === 0 && h("i", { class: "none" })),
        h("span", { "aria-hidden": "true" }, weekday(day)));
}

// A part of a goal as a filled line; what waits follows what is confirmed.
export function meter(confirmed, waiting, goal, words) {
    const top = Math.max(goal, confirmed + waiting, 1);
    return h("div", { class: "meter", role: "img", "aria-label": words },
        h("i", { style: part(confirmed, top) }), h("i", { style: part(waiting, top) }));
}

export function weeksOf(values, now, words) {
    const top = Math.max(...values, 1);
    return h("div", { class: "weeks", role: "img", "aria-label": words },
        values.map((value, index) => h("i", { class: index === now ? "now" : "", style: part(value, top) })));
}
