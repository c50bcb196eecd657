// Runs the core: one event after the other goes in, and what comes out is carried out in its order.
//
// Of all windows only one has a running core, so that the database has one writer; the window that is used takes it over,
// except from one that is recording. A core that has trapped is thrown away, and a new one begins with what is stored.
import { deviceZone, zone } from "./zones.js";

const compiled = WebAssembly.compileStreaming(fetch("/core.wasm"));
compiled.catch(() => {}); // whoever waits for it says so

// One running core: bytes in, bytes out.
class Instance {
    constructor(module) {
        this.exports = new WebAssembly.Instance(module).exports;
        this.exports.core_seed(crypto.getRandomValues(new BigInt64Array(1))[0]);
    }

    handle(event) {
        const bytes = new TextEncoder().encode(JSON.stringify(event));
        const input = this.exports.core_input(bytes.length);
        new Uint8Array(this.exports.memory.buffer, input, bytes.length).set(bytes);
        const length = this.exports.core_json();
        const output = new Uint8Array(this.exports.memory.buffer, this.exports.core_output(), length);
        return JSON.parse(new TextDecoder().decode(output));
    }
}

export class Core {
    // `hooks`: session() → { records, isSignedIn }, send(effect, signal) → { status, body, date }, show(view, key, model), picture(model) → record, signIn(), erased(), trapped(), passive(why), active().
    constructor(hooks) {
        this.hooks = hooks;
        this.tail = Promise.resolve();
        this.views = new Map();
        this.life = 0;
        this.traps = [];
    }

    // Begins, or begins anew because another user is there.
    begin() {
        return this.#inOrder(async () => {
            this.#end();
            this.hasBegun = true;
            await this.#takeOver();
        });
    }

    // Hands in an event of the user's and resolves to its effects once they are carried out.
    dispatch(event) {
        return this.#inOrder(async () => {
            if (!this.instance) await this.#takeOver();
            return this.#handle(event);
        });
    }

    // An event that nobody waits for: it never takes the core from another window.
    notice(event) {
        return this.#inOrder(() => this.#handle(event));
    }

    // The user is back at this window.
    resume() {
        return this.#inOrder(async () => {
            if (!this.hasBegun) return;
            if (this.instance) await this.#handle({ type: "tick" });
            else await this.#takeOver();
        });
    }

    // Opens what a screen shows and closes what the one before showed, but for Home: its picture is kept whatever is on the screen.
    look(views) {
        const wanted = new Map(views.map((view) => [JSON.stringify(view), view]));
        const gone = [...this.views].filter(([key, { view }]) => !wanted.has(key) && view !== "home").map(([, view]) => view);
        const come = [...wanted].filter(([key]) => !this.views.has(key)).map(([, view]) => view);
        this.views = wanted;
        for (const view of gone) this.notice({ type: "close", ...view });
        for (const view of come) this.notice({ type: "open", ...view });
    }

    // A sample of a sensor: straight into the core, without an event.
    motion(t, x, y, z) { this.#sample("core_motion", t, x, y, z); }
    fix(t, latitude, longitude, accuracy) { this.#sample("core_fix", t, latitude, longitude, accuracy); }

    #sample(name, ...numbers) {
        if (!this.instance) return;
        try {
            if (this.instance.exports[name](...numbers) === 1) this.notice({ type: "tick" });
        } catch (error) {
            this.#inOrder(() => this.#recover(error));
        }
    }

    // Ends it for good, because what it stores in was taken away and the page is about to load again: nothing begins any more, and what is under way fails unheard.
    stop() {
        this.isOver = true;
        this.#end();
    }

    #inOrder(work) {
        const forever = new Promise(() => {});
        const done = this.tail.then(() => this.isOver ? forever : work()).catch((error) => this.isOver ? forever : Promise.reject(error));
        this.tail = done.catch((error) => console.error(error));
        return done;
    }

    async #handle(event) {
        if (!this.instance) return [];
        let effects;
        try {
            effects = this.instance.handle({ now: Date.now(), ...event });
        } catch (error) {
            await this.#recover(error);
            return [];
        }
        await this.#carryOut(effects);
        return effects;
    }

    async #carryOut(effects) {
        const life = this.life;
        // What Home will show is stored with the numbers it shows, so that the first picture of a start is never of other ones.
        let home = effects.findLast(({ type, view }) => type === "show" && view === "home");
        const picture = () => {
            const record = home && this.hooks.picture(home.model);
            home = null;
            return record ? [record] : [];
        };
        for (const effect of effects) {
            if (life !== this.life) return;
            switch (effect.type) {
            case "store": await this.records.write({ ...effect, put: [...effect.put, ...picture()] }); break;
            case "send": this.#send(effect); break;
            case "wake": this.#wake(effect.at); break;
            case "show": this.hooks.show(effect.view, effect.key, effect.model); break;
            case "zone": this.#tellZone(effect.name); break;
            case "sign_in": this.hooks.signIn(); break;
            case "erased": await this.hooks.erased(); break;
            case "report": console.warn("core:", effect.code, effect.detail); break;
            }
        }
        if (life === this.life) picture().forEach((record) => this.records.draw(record));
    }

    async #send(effect) {
        const life = this.life;
        const answer = await this.hooks.send(effect, this.ending.signal);
        if (life === this.life) this.notice({ type: "answer", id: effect.id, ...answer });
    }

    #wake(at) {
        clearTimeout(this.timer);
        if (at === null) return;
        const wait = Math.min(Math.max(at - Date.now(), 0), 2 ** 31 - 1);
        this.timer = setTimeout(() => this.notice({ type: "tick" }), wait);
    }

    #tellZone(name) {
        const found = zone(name);
        if (found) this.notice({ type: "zone", zone: found });
    }

    #end() {
        this.life += 1;
        this.instance = null;
        this.ending?.abort();
        this.ending = new AbortController();
        clearTimeout(this.timer);
    }

    // Makes an instance and gives it what is stored of the user who is there now. What its first screens show was
    // stored before and comes first: it need not wait until the record of this start is.
    async #restore(session = this.hooks.session()) {
        const { records: store, isSignedIn } = await session;
        this.records = store;
        const [module, records] = await Promise.all([compiled, store.all()]);
        let effects;
        try {
            effects = this.#begin(new Instance(module), records, isSignedIn);
        } catch (error) {
            return this.#recover(error);
        }
        const isShow = ({ type }) => type === "show";
        await this.#carryOut([...effects.filter(isShow), ...effects.filter((effect) => !isShow(effect))]);
    }

    // The first events of a core, and what they come to.
    #begin(instance, records, isSignedIn) {
        for (let from = 0; from < records.length; from += 300) {
            instance.handle({ type: "restore", now: Date.now(), records: records.slice(from, from + 300) });
        }
        const random = [...crypto.getRandomValues(new Uint8Array(20))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
        const start = {
            type: "start", seed: random.slice(0, 32), device_id: `web-${random.slice(32)}`, zone: zone(deviceZone()),
            online: navigator.onLine, signed_in: isSignedIn,
        };
        this.instance = instance;
        const others = [...this.views.values()].filter(({ view }) => view !== "home");
        const events = [start, ...[{ view: "home" }, ...others].map((view) => ({ type: "open", ...view }))];
        return events.flatMap((event) => instance.handle({ now: Date.now(), ...event }));
    }

    async #recover(error) {
        if (!(error instanceof WebAssembly.RuntimeError)) throw error;
        console.error("The core has trapped and begins anew.", error);
        this.#end();
        const now = Date.now();
        this.traps = [...this.traps.filter((at) => now - at < 60_000), now];
        if (this.traps.length > 3) return this.hooks.passive("broken");
        if (this.traps.length === 1) this.hooks.trapped();
        await this.#restore();
    }

    // Takes the core from the window that has it, and begins anew with what that one has stored.
    async #takeOver() {
        const session = this.hooks.session();
        session.catch(() => {}); // whoever waits for it says so
        if (!navigator.locks) return this.#restore(session);
        if (!this.hasLock) {
            const { held } = await navigator.locks.query();
            if (held.some((lock) => lock.name === "stride-recording")) {
                this.hooks.passive("recording");
                navigator.locks.request("stride-recording", { mode: "shared" }, () => {})
                    .then(() => this.#inOrder(() => this.instance ?? this.#takeOver()));
                return;
            }
            await new Promise((begun) => {
                navigator.locks.request("stride-core", { steal: true }, () => {
                    this.hasLock = true;
                    begun();
                    return new Promise(() => {});
                }).catch(() => {
                    this.hasLock = false;
                    this.#end();
                    this.hooks.passive("elsewhere");
                });
            });
        }
        await this.#restore(session);
        this.hooks.active();
    }
}

// While it is held no other window takes the core over. Returns what ends it.
export function holdRecording() {
    let release;
    const over = new Promise((resolve) => { release = resolve; });
    navigator.locks?.request("stride-recording", () => over);
    return release;
}
