// What the screens share: the models that the core has shown, the reader's settings, and ways to ask for things.

export const app = {
    core: null,
    models: new Map(), // view, or view and key → model
    unit: "km",
    token: null,
    user: null, // { name, issuer } of the token
    config: { imageHosts: "", signIn: { issuer: "", client: "", scope: "" } },
    sensors: { motion: "off", position: "off", screen: null },
    passive: null, // "elsewhere", "recording" or "broken" while this window has no core
    draw() {}, // shows the current screen anew
    actions: {}, // what main offers: signIn(token), signOut(), startSensors(), stopSensors(), stopTracking(), setUnit(unit)
};

const name = (view, key) => (key === null || key === undefined ? view : `${view} ${key}`);

export const model = (view, key = null) => app.models.get(name(view, key)) ?? null;
export const learn = (view, key, content) => app.models.set(name(view, key), content);

// Whether the core took an event: it says with a report that one makes no sense.
export async function dispatch(event) {
    const effects = await app.core.dispatch(event);
    return !effects.some((effect) => effect.type === "report");
}
