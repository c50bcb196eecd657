// The current plan week by week, what waits or conflicts, templates, an own plan, and the recurring goal.
import { app, dispatch, model } from "../modules/app.js";
import { meter, weeksOf } from "../modules/bars.js";
import { choice, field, toFirstFault } from "../modules/forms.js";
import { ask, say } from "../modules/frame.js";
import { icon } from "../modules/icons.js";
import { notices } from "../modules/notices.js";
import { h } from "../modules/view.js";
import { reason } from "../modules/reasons.js";
import { decimalSign, distance, fullDay, inUnit, local, named, percent, plural, readDecimal, readWhole, shortDay, tame, toMetres, whole } from "../modules/words.js";
import { pending, solid } from "./home.js";

export const title = () => "Plan";
export const views = () => [{ view: "plan" }, { view: "home" }];

let faults = {};
let ownWeeks = 4;
let goalKind = null;

export const leave = () => { faults = {}; ownWeeks = 4; goalKind = null; };

const goalText = ({ steps, distance: way }) => [
    steps !== null && plural(steps, "step", "steps"), way !== null && distance(way, app.unit),
].filter(Boolean).join(" and ");

export function render() {
    const content = model("plan");
    if (!content) {
        return h("div", { class: "stack" }, h("header", { class: "head" }, h("h1", {}, "Plan")), h("div", { class: "ghost" }), h("div", { class: "ghost" }));
    }
    return h("div", { class: "stack" },
        h("header", { class: "head" }, h("h1", {}, "Plan")),
        notices(content, "offline", "conflict"),
        content.conflict && conflict(content),
        content.change && !content.conflict && change(content.change),
        content.plan ? current(content.plan) : h("section", { class: "card" },
            h("h2", {}, "No plan yet"), h("p", { class: "soft" }, "A plan asks a little more of each week. Take one of these, or write your own.")),
        weekly(content),
        templates(content),
        own(content));
}

function conflict({ conflict: { plan }, change: mine }) {
    return h("section", { class: "card", "aria-labelledby": "conflict", role: "alert" },
        h("h2", { id: "conflict" }, "Two plans, one has to go"),
        h("p", {}, plan
            ? ["Another device has set “", named(plan.name), `” (${plural(plan.weeks, "week", "weeks")} from `, local(fullDay(plan.start_date)), ") meanwhile."]
            : "Another device has removed the plan meanwhile."),
        mine?.kind === "create" && h("p", {}, "Here you chose “", named(mine.name), "” from ", local(fullDay(mine.start_date)), "."),
        mine?.kind === "delete" && h("p", {}, "Here you removed the plan."),
        h("div", { class: "actions" },
            h("button", { type: "button", class: "button main", onclick: () => dispatch({ type: "resolve_conflict", choice: "mine" }) },
                mine?.kind === "delete" ? "Remove it" : mine?.name ? h("span", {}, "Take “", named(mine.name), "”") : "Take mine"),
            h("button", { type: "button", class: "button", onclick: () => dispatch({ type: "resolve_conflict", choice: "theirs" }) },
                plan ? h("span", {}, "Keep “", named(plan.name), "”") : "Have no plan")));
}

function change({ kind, name, state, reason: why }) {
    const what = kind === "delete" ? "Removing the plan" : ["“", named(name ?? ""), "”"];
    if (state === "refused") {
        return h("div", { class: "note bad", role: "alert" }, h("p", {}, what, " was refused. ", why && reason(why)),
            h("button", { type: "button", class: "button slim line", onclick: () => dispatch({ type: "discard_change", what: "plan" }) }, "Discard"));
    }
    return h("div", { class: "note wait", role: "status" }, h("p", {}, what, " is on the way to the server."));
}

function current(plan) {
    const states = { upcoming: ["Begins ", local(fullDay(plan.start_date))], active: `Week ${(plan.week ?? 0) + 1} of ${plan.weeks.length}`, finished: "Done" };
    const week = plan.weeks.find(({ state }) => state === "current");
    const values = plan.weeks.map(({ goal }) => goal.steps ?? goal.distance ?? 0);
    return h("section", { class: "card", "aria-labelledby": "plan" },
        h("div", { class: "row top" }, h("div", {}, h("p", { class: "over" }, states[plan.state] ?? ""), h("h2", { id: "plan", class: "wrap" }, named(plan.name, true))),
            h("button", { type: "button", class: "button slim", onclick: removePlan }, "Remove")),
        weeksOf(values, plan.state === "active" ? plan.week : -1, `${plan.weeks.length} weeks, from ${goalText(plan.weeks[0].goal)} to ${goalText(plan.weeks.at(-1).goal)}`),
        week && weekNow(week),
        h("details", {}, h("summary", {}, "All weeks"),
            h("table", {},
                h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Week"), h("th", { scope: "col", class: "number" }, "Goal"), h("th", { scope: "col", class: "number" }, "Reached"))),
                h("tbody", {}, plan.weeks.map((row) => h("tr", { "aria-current": row.state === "current" ? "date" : null },
                    h("th", { scope: "row" }, `${row.week + 1} · `, local(shortDay(row.from))),
                    h("td", { class: "number" }, goalText(row.goal)),
                    h("td", { class: "number" }, row.state === "future" ? "" : row.met ? "✓ " : "",
                        row.state === "future" ? "–" : row.goal.steps !== null ? whole(row.steps.total) : distance(row.distance.total, app.unit))))))));
}

function weekNow({ goal, steps, distance: way, met }) {
    const bySteps = goal.steps !== null;
    const count = bySteps ? steps : way;
    const aim = bySteps ? goal.steps : goal.distance;
    return h("div", { class: "stack" },
        h("p", {}, bySteps ? `${whole(steps.total)} of ${goalText(goal)} this week` : `${distance(way.total, app.unit)} of ${goalText(goal)} this week`, met ? ", reached." : "."),
        meter(solid(count), pending(count), aim, `${percent(count.total / aim)} of this week's goal`));
}

async function removePlan() {
    if (await ask({ title: "Remove the plan?", text: "Your workouts stay as they are.", yes: "Remove", no: "Keep", grave: true })) {
        await dispatch({ type: "delete_plan" });
    }
}

// Today where the user lives, which the core knows.
const today = () => model("home")?.today ?? new Date().toISOString().slice(0, 10);

function templates({ templates: all, plan }) {
    return h("section", { class: "stack", "aria-labelledby": "templates" },
        h("h2", { id: "templates" }, "Plans to choose from"),
        all.length === 0 && h("p", { class: "soft" }, "They appear once the server has been reached."),
        h("ul", { class: "stack pair" }, all.map((template) => h("li", { class: "card", key: template.templateId }, offer(template, plan)))));
}

function offer({ templateId, planName, description, weekly_goals: weeks }, plan) {
    const values = weeks.map(({ steps, distance: way }) => steps ?? way ?? 0);
    const id = `from-${templateId}`;
    return [
        h("h3", {}, named(planName, true)),
        h("p", { class: "small soft" }, `${plural(weeks.length, "week", "weeks")} · ${goalText(weeks[0])} to ${goalText(weeks.at(-1))} a week`),
        weeksOf(values, -1, `Goals of ${weeks.length} weeks, rising from ${goalText(weeks[0])} to ${goalText(weeks.at(-1))}`),
        h("details", {}, h("summary", {}, "Preview", h("span", { class: "unseen" }, ` of ${tame(planName)}`)),
            h("div", { class: "stack" }, h("p", { class: "small" }, description),
                h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Week"), h("th", { scope: "col", class: "number" }, "Goal"))),
                    h("tbody", {}, weeks.map((goal) => h("tr", {}, h("th", { scope: "row" }, String(goal.week + 1)), h("td", { class: "number" }, goalText(goal)))))),
                h("form", { class: "stack", novalidate: true, "aria-label": tame(planName), onsubmit: (event) => choose(event, { template_id: templateId, plan_name: planName }, planName, plan) },
                    field(id, "Begin on", { type: "date", required: true, value: today() }, faults[id]),
                    h("button", { class: "button main" }, h("span", {}, "Take “", named(planName), "”"))))),
    ];
}

async function choose(event, content, name, plan) {
    event.preventDefault();
    const start = event.target.querySelector("input[type=date]");
    faults = {};
    if (!start.value) {
        faults[start.id] = "Choose a day.";
        app.draw();
        return toFirstFault(event.target);
    }
    if (plan && !await ask({ title: "Replace your plan?", text: `“${tame(name)}” takes the place of “${tame(plan.name)}”. Your workouts stay as they are.`, yes: "Replace" })) return;
    if (await dispatch({ type: "create_plan", start_date: start.value, ...content })) {
        say(`“${tame(name)}” is your plan.`);
        window.scrollTo(0, 0);
        document.querySelector("main h1")?.focus({ preventScroll: true });
    } else {
        faults[start.id] = "A plan may begin between the year 2000 and 400 days from now.";
        app.draw();
        toFirstFault(event.target);
    }
}

function own({ plan }) {
    const unit = app.unit === "mi" ? "mi" : "km";
    return h("section", { class: "card", "aria-labelledby": "own" },
        h("h2", { id: "own" }, "Your own plan"),
        h("details", {}, h("summary", {}, "Write one"),
            h("form", { class: "stack", novalidate: true, "aria-labelledby": "own", onsubmit: (event) => chooseOwn(event, plan) },
                h("div", { class: "fields" },
                    field("plan-name", "Name", { autocomplete: "off", value: "My plan" }, faults["plan-name"]),
                    field("plan-start", "Begin on", { type: "date", required: true, value: today() }, faults["plan-start"])),
                h("fieldset", { class: "stack" }, h("legend", {}, `Goals of each week, in steps, ${unit}, or both`),
                    Array.from({ length: ownWeeks }, (_, week) => weekFields(week, unit)),
                    faults.weeks && h("p", { class: "fault", role: "alert" }, faults.weeks)),
                h("div", { class: "actions" },
                    h("button", { type: "button", class: "button", disabled: ownWeeks >= 104, onclick: () => { ownWeeks += 1; app.draw(); } }, icon("add"), "One more week"),
                    h("button", { class: "button main" }, "Take this plan")))));
}

function weekFields(week, unit) {
    const fault = faults[`week-${week}`];
    return h("div", { class: "stack" },
        h("div", { class: "weekrow" },
            h("span", { class: "small soft" }, `Week ${week + 1}`),
            h("input", { id: `steps-${week}`, inputmode: "numeric", autocomplete: "off", placeholder: "steps", "aria-label": `Steps in week ${week + 1}`, "aria-invalid": fault ? "true" : null, "aria-describedby": fault ? `week-${week}-fault` : null, value: String(20_000 + 2000 * week) }),
            h("input", { id: `way-${week}`, inputmode: "decimal", autocomplete: "off", placeholder: unit, "aria-label": `Distance in week ${week + 1}, in ${unit}` }),
            week === ownWeeks - 1 && ownWeeks > 1
                ? h("button", { type: "button", class: "button", "aria-label": `Remove week ${week + 1}`, onclick: () => { ownWeeks -= 1; app.draw(); } }, icon("remove")) : h("span", {})),
        fault && h("p", { class: "fault", id: `week-${week}-fault` }, fault));
}

async function chooseOwn(event, plan) {
    event.preventDefault();
    const form = event.target;
    const name = form.elements["plan-name"].value.trim();
    faults = {};
    if (name === "" || [...name].length > 100) faults["plan-name"] = "Give a name of up to 100 characters.";
    if (!form.elements["plan-start"].value) faults["plan-start"] = "Choose a day.";
    const goals = Array.from({ length: ownWeeks }, (_, week) => {
        const [steps, way] = [`steps-${week}`, `way-${week}`].map((id) => form.querySelector(`#${id}`).value.trim());
        const goal = { steps: steps === "" ? null : readWhole(steps), distance: way === "" ? null : Math.round(toMetres(readDecimal(way), app.unit) * 1000) / 1000 };
        const isWrong = (goal.steps !== null && (!Number.isInteger(goal.steps) || goal.steps > 10_000_000))
            || (goal.distance !== null && !(goal.distance >= 0 && goal.distance <= 10_000_000)) || !((goal.steps ?? 0) + (goal.distance ?? 0) > 0);
        if (isWrong) faults[`week-${week}`] = `Whole steps, a distance, or both, above 0 and up to ten million; “${decimalSign()}” stands before decimals.`;
        return goal;
    });
    if (Object.keys(faults).length > 0) {
        app.draw();
        return toFirstFault(form);
    }
    await choose({ preventDefault() {}, target: form }, { plan_name: name, weekly_goals: goals }, name, plan);
}

// The goal that holds in every week without an active plan.
function weekly({ weekly_goal: goal, goal_change: waiting }) {
    const shown = waiting ?? goal;
    const kind = goalKind ?? (shown?.distance ? "distance" : "steps");
    const unit = app.unit === "mi" ? "miles" : "kilometres";
    const value = kind === "steps" ? shown?.steps ?? "" : shown?.distance ? inUnit(shown.distance, app.unit) : "";
    return h("section", { class: "card", "aria-labelledby": "goal" },
        h("h2", { id: "goal" }, "Goal of every week"),
        h("p", { class: "small soft" }, goal ? `${goalText(goal)} a week` : "None is set", ". It counts while no plan is active."),
        waiting && h("div", { class: waiting.state === "refused" ? "note bad" : "note wait" },
            h("p", {}, waiting.state === "refused" ? ["The server refused it. ", waiting.reason && reason(waiting.reason)]
                : `${goalText(waiting) || "Removing the goal"}: on the way to the server.`),
            waiting.state === "refused" && h("button", { type: "button", class: "button slim line", onclick: () => dispatch({ type: "discard_change", what: "goal" }) }, "Discard")),
        h("details", {}, h("summary", {}, goal ? "Change it" : "Set one"),
            h("form", { class: "stack", novalidate: true, "aria-labelledby": "goal", onsubmit: (event) => setGoal(event, kind) },
                choice("goal-kind", "Measured in", [["steps", "Steps"], ["distance", "Distance"]], kind, (chosen) => { goalKind = chosen; app.draw(); }),
                field("goal-value", kind === "steps" ? "Steps a week" : `Distance a week (${unit})`, { inputmode: "decimal", autocomplete: "off", key: kind, value: String(value) }, faults.goal),
                h("div", { class: "actions" }, h("button", { class: "button main" }, "Set goal"),
                    goal && h("button", { type: "button", class: "button", onclick: () => dispatch({ type: "set_goal", steps: null, distance: null }) }, "Remove goal")))));
}

async function setGoal(event, kind) {
    event.preventDefault();
    const value = (kind === "steps" ? readWhole : readDecimal)(event.target.elements["goal-value"].value);
    const amount = kind === "steps" ? value : Math.round(toMetres(value, app.unit) * 1000) / 1000;
    faults = {};
    const isRight = amount > 0 && amount <= 10_000_000 && (kind === "distance" || Number.isInteger(amount));
    const goal = { steps: kind === "steps" ? amount : null, distance: kind === "distance" ? amount : null };
    if (!isRight || !await dispatch({ type: "set_goal", ...goal })) {
        faults.goal = kind === "steps" ? "A whole number above 0, up to ten million." : `A number above 0, up to ten million metres, with “${decimalSign()}” before decimals.`;
    } else say("Your goal is set.");
    app.draw();
    if (faults.goal) toFirstFault(event.target);
}
