// Who stands where in a challenge.
import { app, dispatch, model } from "../modules/app.js";
import { field, toFirstFault } from "../modules/forms.js";
import { ask, say } from "../modules/frame.js";
import { icon } from "../modules/icons.js";
import { notices } from "../modules/notices.js";
import { h } from "../modules/view.js";
import { reason } from "../modules/reasons.js";
import { local, moment, named, percent, readWhole, tame, whole } from "../modules/words.js";

const challenge = (argument) => argument || "open";

export const title = () => "Leaderboard";
export const views = (argument) => [{ view: "leaderboard", challenge: challenge(argument) }];

let fresh = null; // the refresh that the reader asked for, until a model or a notice answers
const broken = new Set(); // pictures that could not be had
let faults = {};

export function render(argument) {
    const board = model("leaderboard", challenge(argument));
    const isKnown = board && board.as_of !== null;
    const failed = board?.notices.some(({ code }) => code === "stale" || code === "offline" || code === "waiting");
    if (fresh && (failed || board?.as_of !== fresh.before)) fresh = null;
    return h("div", { class: "stack" },
        h("header", { class: "head" },
            h("h1", {}, board?.name ? named(board.name, true) : "Leaderboard"),
            h("button", { type: "button", class: fresh ? "button slim spin" : "button slim", onclick: () => refresh(board), disabled: fresh !== null }, icon("again"), "Refresh")),
        board?.description && h("p", { class: "soft wrap", dir: "auto" }, tame(board.description)),
        isKnown && board.name === null ? nothing() : isKnown ? [notices(board, "offline", "sign_in", "refused", "conflict"), failed && old(board), table(board), own(board)] : failed ? error(board) : loading());
}

async function refresh(board) {
    fresh = { before: board?.as_of };
    app.draw();
    await dispatch({ type: "refresh" });
    setTimeout(() => { fresh = null; app.draw(); }, 8000);
}

const loading = () => h("section", { key: "loading", class: "card", "aria-busy": "true", "aria-label": "Leaderboard" },
    h("p", { role: "status" }, "Loading the leaderboard …"), [1, 2, 3, 4].map(() => h("div", { class: "ghost" })));

const nothing = () => h("section", { key: "nothing", class: "card" }, h("h2", {}, "There is no such leaderboard"), h("p", {}, h("a", { href: "#/board" }, "The open leaderboard")));

// Why nothing came.
function why({ notices: all }) {
    const { reason: cause, retry_at: at } = all.find(({ code }) => code === "stale") ?? {};
    if (!navigator.onLine) return "There is no network.";
    if (cause === "busy") return at ? ["The server is busy. The next try is at ", local(moment(at)), "."] : "The server is busy.";
    return cause === "unclear" ? "What answered is not the server as it should be." : "The server did not answer.";
}

// Whether the server said when it wants to be asked again: it is, and not before.
const isAskedLater = ({ notices: all }) => navigator.onLine && all.some(({ code, reason: cause, retry_at: at }) => code === "stale" && cause === "busy" && at);

const error = (board) => h("section", { key: "error", class: "card", role: "alert" },
    h("h2", {}, "The leaderboard could not be loaded"),
    h("p", { class: "soft" }, why(board)),
    isAskedLater(board) ? null : h("div", { class: "actions" }, h("button", { type: "button", class: "button main", onclick: () => dispatch({ type: "refresh" }) }, icon("again"), "Try again")));

const old = (board) => board.notices.some(({ code }) => code === "stale") ? null
    : h("div", { class: "note wait", role: "status" }, h("p", {}, `${navigator.onLine ? "Could not refresh" : "No network"}. This is from `, local(moment(board.as_of)), "."));

function table(board) {
    return h("section", { key: "board", class: "card", "aria-labelledby": "board" },
        h("div", { class: "row" },
            h("h2", { id: "board" }, board.total === 1 ? "1 athlete" : `${whole(board.total)} athletes`),
            board.summary && board.summary.participants > 0 && h("span", { class: "small soft" }, `${percent(board.summary.completionRate)} have a score`)),
        board.athletes.length === 0 ? h("p", { class: "soft" }, "Nobody has signed up yet.")
            : h("ol", { class: "list board" }, board.athletes.map((athlete) => athleteRow(athlete))),
        board.more && h("button", { type: "button", class: "button", onclick: () => dispatch({ type: "more", view: "leaderboard", challenge: board.challenge }) }, "Show more"));
}

function athleteRow({ id, name, score, rank, image_url: image, is_mine: isMine }) {
    return h("li", { key: String(id) },
        h("span", { class: rank === 1 ? "rank first" : "rank" }, h("span", { class: "unseen" }, "Rank "), rank === null ? "–" : whole(rank)),
        h("span", { class: "face", "aria-hidden": "true" }, picture(image) ?? initials(name)),
        h("div", { class: "what wrap" }, h("h3", {}, named(name, true)), isMine && h("small", {}, "You")),
        h("div", { class: "much" }, score === null ? h("small", {}, "No score") : whole(score)));
}

const initials = (name) => tame(name).trim().split(/\s+/u).slice(0, 2).map((word) => [...word][0].toLocaleUpperCase()).join("");

// Pictures come only from hosts that the operator allows; a browser is never sent anywhere else.
function picture(address) {
    if (!address || broken.has(address)) return null;
    let origin;
    try {
        ({ origin } = new URL(address));
    } catch {
        return null;
    }
    const allowed = app.config.imageHosts.split(" ").filter(Boolean).some((host) =>
        host === origin || (host.startsWith("https://*.") && origin.startsWith("https://") && origin.endsWith(host.slice(9))));
    return allowed ? h("img", {
        src: address, alt: "", loading: "lazy", referrerpolicy: "no-referrer",
        onerror: () => { broken.add(address); app.draw(); },
    }) : null;
}

// The own entry, where the challenge lets everybody report.
function own(board) {
    const { challenge: name, mine, change } = board;
    if (!board.self_report) return null;
    return h("form", { class: "card", novalidate: true, "aria-labelledby": "own", onsubmit: (event) => record(event, name) },
        h("h2", { id: "own" }, "Your entry"),
        change && h("div", { class: change.state === "refused" ? "note bad" : "note wait" },
            h("p", {}, change.state === "refused" ? ["Refused. ", change.reason && reason(change.reason)] : "On the way to the server."),
            change.state === "refused" && h("button", { type: "button", class: "button slim line", onclick: () => dispatch({ type: "discard_change", what: "score", challenge: name }) }, "Discard")),
        h("div", { class: "fields" },
            field("name", "Name on the board", { autocomplete: "nickname", value: change?.name ?? mine?.name ?? "" }, faults.name),
            field("score", "Score", { inputmode: "numeric", autocomplete: "off", value: String(change?.score ?? mine?.score ?? "") }, faults.score)),
        h("div", { class: "actions" },
            h("button", { class: "button main" }, mine ? "Change my entry" : "Join the board"),
            mine && h("button", { type: "button", class: "button bad", onclick: () => leaveBoard(name) }, "Leave the board")));
}

async function record(event, name) {
    event.preventDefault();
    const form = event.target;
    const who = form.elements.name.value.trim();
    const text = form.elements.score.value.trim();
    const [, minus, number] = /^([-\u2212]?)(.*)$/s.exec(text);
    const score = text === "" ? null : readWhole(number) * (minus ? -1 : 1);
    faults = {};
    if (who === "" || [...who].length > 100) faults.name = "Give a name of up to 100 characters.";
    if (score !== null && !Number.isSafeInteger(score)) faults.score = `A whole number up to ${whole(Number.MAX_SAFE_INTEGER)}, or nothing.`;
    if (Object.keys(faults).length > 0) {
        app.draw();
        return toFirstFault(form);
    }
    if (await dispatch({ type: "record_score", challenge: name, name: who, score })) say("Your entry is on its way.");
    else faults.name = "The board takes no such entry.";
    app.draw();
}

async function leaveBoard(name) {
    if (await ask({ title: "Leave the board?", text: "Your name and score are removed.", yes: "Leave", grave: true })) {
        await dispatch({ type: "remove_score", challenge: name });
    }
}
