// Every day, the newest first.
import { app, dispatch, model } from "../modules/app.js";
import { icon } from "../modules/icons.js";
import { notices } from "../modules/notices.js";
import { h } from "../modules/view.js";
import { distance, fullDay, local, plural, whole } from "../modules/words.js";

export const title = () => "History";
export const views = () => [{ view: "history" }];

export function render() {
    const history = model("history");
    return h("div", { class: "stack" },
        h("header", { class: "head" }, h("h1", {}, "History"), h("a", { class: "button slim", href: "#/add" }, icon("add"), "Add by hand")),
        notices(history, "offline"),
        history ? h("section", { class: "card", "aria-label": "Days" },
            h("ul", { class: "list" }, history.days.map(({ day, steps, distance: way, workouts }) =>
                h("li", { key: day },
                    h("div", { class: "what" },
                        h("a", { href: `#/day/${day}` }, local(fullDay(day))),
                        h("small", {}, workouts === 0 ? "No workouts" : plural(workouts, "workout", "workouts"))),
                    h("div", { class: "much" }, whole(steps.total),
                        h("small", {}, distance(way.total, app.unit)),
                        steps.total !== steps.confirmed && h("small", {}, `${whole(steps.confirmed)} confirmed`))))),
            history.more && h("button", { type: "button", class: "button", onclick: () => dispatch({ type: "more", view: "history" }) }, "Show older days"))
            : [h("div", { class: "ghost" }), h("div", { class: "ghost" }), h("div", { class: "ghost" })]);
}
