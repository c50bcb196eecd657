// Today, the last seven days, the week against its goal, and what has not reached the server.
import { app, dispatch, model } from "../modules/app.js";
import { meter, weekBars } from "../modules/bars.js";
import { icon } from "../modules/icons.js";
import { notices, queueChip } from "../modules/notices.js";
import { h } from "../modules/view.js";
import { distance, local, longDay, moment, named, percent, plural, whole } from "../modules/words.js";

export const title = () => "";
export const views = () => [{ view: "home" }];

// What waits may be negative: a deletion that the server does not know yet.
export const solid = ({ confirmed, total }) => Math.max(0, Math.min(confirmed, total));
export const pending = ({ total, confirmed }) => Math.max(0, total - confirmed);

export const render = () => screen(model("home"));

// Home as it shows a model, also for the first picture of the next start.
export function screen(home) {
    if (!home) return h("div", { class: "stack pair" }, h("div", { class: "full" }, head(null)), h("div", { class: "ghost" }), h("div", { class: "ghost" }));
    return h("div", { class: "stack pair" },
        h("div", { class: "full" }, head(home), h("div", { class: "stack" }, notices(home, "offline", "refused"))),
        today(home),
        week(home),
        h("section", { class: "card full", "aria-labelledby": "bars" },
            h("div", { class: "row" }, h("h2", { id: "bars" }, "Seven days"), h("a", { href: "#/history", class: "small" }, "All days")),
            weekBars([...home.days].reverse().map((day) => ({
                day: day.day, confirmed: solid(day.steps), waiting: pending(day.steps),
            })), home.goal.day_steps ?? 0, home.today),
            legend(home)),
        queue(home));
}

const legend = ({ goal, days }) => h("p", { class: "legend" },
    goal.day_steps > 0 && h("span", {}, h("i", { class: "line" }), `Goal ${whole(goal.day_steps)} a day`),
    days.some((day) => pending(day.steps) > 0) && [
        h("span", {}, h("i", {}), "Confirmed by the server"), h("span", {}, h("i", { class: "wait" }), "Waiting on this device"),
    ]);

function head(home) {
    return h("header", { class: "head" },
        h("h1", {}, home ? local(longDay(home.today)) : "Today"), home && queueChip(home.queue));
}

// Both numbers, in words: what the server has, and what waits here.
function both({ confirmed, total }) {
    const waiting = total - confirmed;
    return h("p", { class: "small soft" }, `${whole(confirmed)} confirmed · `, waiting < 0 ? `${whole(-waiting)} to be removed` : `${whole(waiting)} waiting`);
}

function today({ day, goal, track }) {
    const { steps, distance: way } = day;
    const aim = goal.day_steps ?? 0;
    return h("section", { class: "card", "aria-labelledby": "today" },
        h("div", {},
            h("h2", { id: "today", class: "over" }, "Steps today"),
            h("p", { class: "big", id: "today-steps", elementtiming: "steps" }, whole(steps.total)),
            both(steps)),
        aim > 0 && meter(solid(steps), pending(steps), aim, `${percent(steps.total / aim)} of today's goal`),
        h("dl", { class: "facts" },
            fact(distance(way.total, app.unit), "Distance"),
            aim > 0 && fact(whole(aim), "Goal a day"),
            aim > 0 && fact(steps.total >= aim ? "Reached" : whole(aim - steps.total), "To go")),
        h("div", { class: "actions" },
            h("a", { class: "button main", href: "#/workout" }, icon("play"), track.state === "off" ? "Start workout" : "Under way"),
            h("a", { class: "button", href: "#/add" }, icon("add"), "Add by hand")));
}

const fact = (value, name) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

function week({ week, goal, plan }) {
    const bySteps = goal.steps !== null;
    const aim = bySteps ? goal.steps : goal.distance;
    const count = bySteps || aim === null ? week.steps : week.distance;
    const text = (value) => (bySteps || aim === null ? whole(value) : distance(value, app.unit));
    return h("section", { class: "card", "aria-labelledby": "week" },
        h("div", {},
            h("h2", { id: "week", class: "over" }, plan?.state === "active" ? [`Week ${plan.week + 1} of ${plan.weeks} · `, named(plan.name)] : "This week"),
            h("p", { class: "big week-total" }, text(count.total), bySteps || aim === null ? h("small", {}, "steps") : null),
            bySteps || aim === null ? both(count) : null),
        aim !== null && meter(solid(count), pending(count), aim, `${percent(count.total / aim)} of the week's goal`),
        h("dl", { class: "facts" },
            aim !== null && fact(text(aim), "Week’s goal"),
            aim !== null && fact(week.met ? "Reached" : percent(count.total / aim), "Done"),
            bySteps && goal.distance !== null ? fact(`${distance(week.distance.total, app.unit)} of ${distance(goal.distance, app.unit)}`, "Distance")
                : fact(bySteps || aim === null ? distance(week.distance.total, app.unit) : whole(week.steps.total), bySteps || aim === null ? "Distance" : "Steps")),
        goal.source === "none" && h("p", { class: "soft small" }, "No goal yet. ", h("a", { href: "#/plan" }, "Choose a plan or set one")),
        plan?.state === "upcoming" && h("p", { class: "soft small" }, "“", named(plan.name), "” has not begun yet."),
        plan?.state === "finished" && h("p", { class: "soft small" }, "“", named(plan.name), "” is done. ", h("a", { href: "#/plan" }, "Choose the next plan")));
}

function queue({ queue, notices: all }) {
    const open = queue.waiting + queue.deleting;
    if (open === 0 && queue.refused === 0) return null;
    const why = {
        idle: "They are being sent.", sending: "They are being sent.", offline: "They are sent when there is a network.",
        sign_in: "They are sent after you sign in.",
        waiting: queue.retry_at ? ["The next try is at ", local(moment(queue.retry_at)), "."] : "They are sent again soon.",
    }[queue.state];
    return h("section", { class: "card full", "aria-labelledby": "queue" },
        h("h2", { id: "queue" }, "On the way to the server"),
        open > 0 && h("p", {}, `${plural(queue.waiting, "workout waits", "workouts wait")}${queue.deleting ? `, ${plural(queue.deleting, "deletion", "deletions")}` : ""}. `, why),
        queue.refused > 0 && h("p", {}, `${plural(queue.refused, "upload is", "uploads are")} parked, because the server refused ${queue.refused === 1 ? "it" : "them"}. `,
            h("a", { href: "#/settings" }, "See why")),
        queue.state === "sign_in" && !all.some(({ code }) => code === "sign_in") && h("a", { class: "button slim line", href: "#/settings" }, "Sign in"));
}
