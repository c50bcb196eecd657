// Starts the app and ties its parts together: the core and what it shows, the screens, the sensors, the account.
import { erased, sendFor, session, signIn, signOut } from "./modules/account.js";
import { app, learn, model } from "./modules/app.js";
import { Core, holdRecording } from "./modules/core.js";
import { arrive, go, hush, place, say, showWays } from "./modules/frame.js";
import { hasGone, isShown, pictureOf } from "./modules/picture.js";
import { startMotion, startPosition, startScreen } from "./modules/sensors.js";
import { begin, finish } from "./modules/signin.js";
import { keep, lost } from "./modules/store.js";
import { h, show } from "./modules/view.js";
import { deviceZone, zone } from "./modules/zones.js";
import * as add from "./screens/add.js";
import * as board from "./screens/board.js";
import * as day from "./screens/day.js";
import * as history from "./screens/history.js";
import * as home from "./screens/home.js";
import * as plan from "./screens/plan.js";
import * as settings from "./screens/settings.js";
import * as workout from "./screens/workout.js";

performance.mark("stride:begin");

const screens = { "": home, workout, add, plan, history, day, board, settings };
let current = { name: null, argument: "", screen: home };
let isLost = false; // whether the databases were taken away
let isLive = false; // whether Home has had numbers from the core

// --- Screens

function draw() {
    const { screen, argument } = current;
    if (isShown() && current.name === "" && !model("home") && !app.passive) return; // what first.js shows is better than nothing
    hasGone();
    show(document.getElementById("main"), passiveNote(), h("div", { key: `${current.name} ${argument}` }, screen.render(argument)));
}

function navigate() {
    const { name, argument } = place();
    const known = name in screens ? name : "";
    if (known === current.name && argument === current.argument) return;
    const isFirst = current.name === null;
    current.screen.leave?.();
    current = { name: known, argument, screen: screens[known] };
    if (known === "settings") hush();
    showWays(known === "day" ? "history" : known);
    app.core.look(current.screen.views(argument));
    draw();
    if (isFirst) document.title = current.screen.title(argument) ? `${current.screen.title(argument)} · Stride` : "Stride";
    else arrive(current.screen.title(argument));
}

function passiveNote() {
    const words = {
        elsewhere: "Stride is in use in another window. Go on here, and it follows you.",
        recording: "A workout is being recorded in another window. This one waits until it has ended.",
        broken: "Stride cannot go on. Your workouts are safe on this device; load the page again.",
    }[app.passive];
    return words && h("div", { class: "note wait banner", role: "status", key: "passive" }, h("p", {}, words));
}

let isPlanned = false;

// Several models that come together are one drawing.
function drawSoon() {
    if (isPlanned) return;
    isPlanned = true;
    queueMicrotask(() => {
        isPlanned = false;
        draw();
    });
}

// --- Sensors: on while the core's session wants them

let running = null;

function followTrack({ state }) {
    if (state !== "off" && !running) startSensors();
    if (state === "off" && running) stopSensors();
}

// Begun by a touch where possible; asked again when the reader has changed what the browser may do.
function startSensors(isAgain = false) {
    if (running && !isAgain) return;
    if (isAgain) stopSensors();
    const parts = [];
    let isOver = false;
    const tell = (change) => {
        if (isOver) return;
        Object.assign(app.sensors, change);
        drawSoon();
    };
    const endRecording = holdRecording();
    const clock = setInterval(() => { if (current.name === "workout") draw(); }, 1000);
    running = {
        stop() {
            isOver = true;
            parts.forEach((part) => part.stop());
            clearInterval(clock);
            endRecording();
        },
    };
    tell({ motion: "asking", position: "searching", screen: null });
    startMotion((...sample) => app.core.motion(...sample)).then((motion) => {
        if (isOver) return motion.stop();
        parts.push(motion);
        tell({ motion: motion.state });
    });
    parts.push(startPosition((...fix) => app.core.fix(...fix), (position) => {
        if (app.sensors.position !== position) tell({ position });
    }));
    parts.push(startScreen((screen) => tell({ screen })));
}

function stopSensors() {
    running?.stop();
    running = null;
    app.sensors = { motion: "off", position: "off", screen: null };
    drawSoon();
}

// A workout under way belongs to whom it began with.
async function stopTracking() {
    if (running) await app.core.dispatch({ type: "track", command: "end" });
    stopSensors();
}

// --- The start

app.draw = draw;
app.actions = {
    signIn, signOut, startSensors, stopSensors, stopTracking,
    signInByBrowser: () => begin(app.config.signIn),
    setUnit(unit) {
        app.unit = unit;
        keep({ unit });
        draw();
    },
};
app.core = new Core({
    session,
    send: sendFor,
    show(view, key, content) {
        learn(view, key, content);
        if (view === "home") {
            if (!isLive) performance.mark("stride:core");
            isLive = true;
            followTrack(content.track);
        }
        drawSoon();
    },
    picture: pictureOf,
    signIn() {
        if (current.name !== "settings") say("Sign in again, so that your workouts can be sent.", { name: "Sign in", run: () => go("settings") });
    },
    erased,
    trapped: () => say("Stride had to begin anew. Nothing that was stored is lost."),
    passive(why) {
        app.passive = why;
        stopSensors();
    },
    active() {
        app.passive = null;
        drawSoon();
    },
});

async function start() {
    navigate();
    await app.core.begin();
}

// What the operator has set comes from the server or the service worker; nothing waits for it but sign-in and pictures.
async function configure() {
    const answer = await fetch("/config.json").catch(() => null);
    if (answer?.ok) app.config = { ...app.config, ...await answer.json() };
    const token = await finish(app.config.signIn).catch(() => null);
    if (token && await signIn(token)) say("Signed in.");
    drawSoon();
}

// A new version waits until the reader wants it; never in the middle of a workout.
async function install() {
    if (!navigator.serviceWorker) return;
    const registration = await navigator.serviceWorker.register("/sw.js");
    const hadOne = navigator.serviceWorker.controller !== null;
    navigator.serviceWorker.addEventListener("controllerchange", () => { if (hadOne) location.reload(); });
    const offer = (worker) => {
        if (worker?.state === "installed" && hadOne) {
            say("A new version of Stride is here.", { name: "Load it", run: () => worker.postMessage("take over") });
        }
    };
    offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
        const worker = registration.installing;
        worker.addEventListener("statechange", () => offer(worker));
    });
}

window.addEventListener("hashchange", navigate);
window.addEventListener("online", () => app.core.notice({ type: "online", online: true }));
window.addEventListener("offline", () => app.core.notice({ type: "online", online: false }));
window.addEventListener("focus", () => app.core.resume());
document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    app.core.notice({ type: "zone", zone: zone(deviceZone()), is_device: true });
    app.core.resume();
});

// The databases were taken away, by another window or by the browser: this page shows what is no longer there.
lost.tell = () => {
    if (isLost) return;
    isLost = true;
    app.core?.stop();
    sessionStorage.setItem("stride-said", "The data of this page was removed or renewed elsewhere, so it was loaded again.");
    location.reload();
};

start().then(() => {
    sessionStorage.removeItem("stride-repaired");
    const said = sessionStorage.getItem("stride-said");
    sessionStorage.removeItem("stride-said");
    if (said) say(said);
}).catch((error) => {
    if (isLost) return;
    // A damaged core, or a part of the app that is missing: first.js fetches all of it again, once.
    if (error instanceof WebAssembly.CompileError && !window.dispatchEvent(new Event("stride-damaged", { cancelable: true }))) return;
    console.error(error);
    show(document.getElementById("main"), h("div", { class: "note bad", role: "alert" },
        h("p", {}, "Stride cannot start here: this browser does not let it keep data or run its core. Private windows are a usual reason.")));
}).then(configure);
const whenLoaded = () => {
    install().catch((error) => console.warn("no service worker:", error.message));
    navigator.storage?.persist?.();
};
if (document.readyState === "complete") whenLoaded();
else window.addEventListener("load", whenLoaded);
