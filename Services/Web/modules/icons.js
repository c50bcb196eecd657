// The drawings of the app, as trees.
import { h } from "./view.js";

const paths = {
    home: "M4 11.5 12 5l8 6.5M6.5 10v9h11v-9",
    workout: "M5 18.5c1.6-4.4 3.2-6.6 4.8-6.6 2.4 0 1.6 4.2 4 4.2 1.7 0 3.4-3.5 5.2-10.6",
    plan: "M6 6.5h12v13H6zM6 10.5h12M9.5 4.5v3M14.5 4.5v3",
    board: "M5 19.5v-6h4v6M10 19.5V9h4v10.5M15 19.5v-8h4v8",
    settings: "M4.5 8h9M17.5 8h2M4.5 16h2M10.5 16h9M15.5 6v4M8.5 14v4",
    history: "M12 7.5V12l3 2M4.5 12a7.5 7.5 0 1 0 2.4-5.5M4.8 4.8v3h3",
    add: "M12 5v14M5 12h14",
    play: "M8.5 6v12l9.5-6z",
    again: "M19 12a7 7 0 1 1-2.3-5.2M19.2 4.6v3.2H16",
    left: "M14.5 6l-6 6 6 6",
    remove: "M7 7l10 10M17 7 7 17",
};

export const icon = (name) => h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: paths[name] }));
