// The account: who is there, and in which database what they do is kept.
//
// Each user has a database, and there is one of nobody's for what is recorded while nobody is signed in. It becomes
// the first user's whom the server accepts, or goes over into the one that this user has; nothing of it is sent before.
import { app } from "./app.js";
import { say } from "./frame.js";
import { send, useToken } from "./http.js";
import { userOf } from "./signin.js";
import { keep, recall, Records } from "./store.js";

let records = null;
let left = null; // the name of nobody's database, while there is one

// Whose turn it is now; another window may have changed it.
export async function session() {
    let [token, name, unit, nobodys, users] = await recall("token", "database", "unit", "nobodys", "users");
    if (!name || (!token && Object.values(users ?? {}).includes(name))) {
        name = nobodys ?? `stride-${crypto.randomUUID()}`;
        nobodys = name;
        await keep({ database: name, nobodys });
    }
    left = nobodys;
    app.unit = unit ?? (/^en-(US|GB|LR|MM)$/.test(navigator.language) ? "mi" : "km");
    app.token = token;
    app.user = token ? userOf(token) : null;
    useToken(token);
    if (records?.name !== name) {
        records?.close();
        app.models.clear();
        records = await Records.open(name);
    }
    return { records, isSignedIn: token !== null };
}

async function databaseOf(user) {
    const [users, nobodys] = await recall("users", "nobodys");
    return users?.[user.key] ?? nobodys ?? `stride-${crypto.randomUUID()}`;
}

// One after the other: who is there does not change while something is taken over.
let turn = Promise.resolve();
const inTurn = (work) => (turn = turn.catch(() => {}).then(work));

export const signIn = (token) => inTurn(async () => {
    const user = userOf(token);
    if (!user) return false;
    const database = await databaseOf(user);
    if (database !== records?.name) await app.actions.stopTracking();
    await keep({ token, database });
    if (database === records?.name) {
        Object.assign(app, { token, user });
        useToken(token);
        await app.core.dispatch({ type: "signed_in" });
    } else {
        await app.core.begin();
    }
    return true;
});

// From here on the screens show nobody's database; the user's, with what waits in it, is there again after signing in.
export const signOut = () => inTurn(async () => {
    await app.actions.stopTracking();
    await keep({ token: null });
    await app.core.begin();
});

const isAccepted = ({ status, body }) => status >= 200 && status < 300 && (body !== null || status === 204);

// Sends what the core wants sent. Before anything of nobody's database is, the server has to accept the token: a token that it does
// not know claims nothing, and what waits is the next user's.
export async function sendFor(effect, signal) {
    if (!effect.authenticated || left === null) return send(effect, signal);
    const { token, user } = app;
    const { name } = records;
    const isSame = () => app.token === token && records?.name === name;
    if (left === name) {
        const { status, ...rest } = await send({ method: "GET", path: "/v1/profile", body: null, authenticated: true }, signal);
        if (!isAccepted({ status, ...rest }) || !user || !isSame()) {
            // What it says of the user and of the server holds for what was to be sent as well; anything else says nothing about it.
            const isGeneral = status === 0 || status === 401 || status === 429 || status >= 500;
            return { ...rest, status: isGeneral ? status : status === 403 ? 401 : 502 };
        }
        const [users] = await recall("users");
        await keep({ users: { ...users, [user.key]: name }, nobodys: null });
        left = null;
    }
    const answer = await send(effect, signal);
    if (isAccepted(answer) && left !== null && isSame()) inTurn(() => isSame() && takeOver(left)).catch((error) => console.error(error));
    return answer;
}

// What was recorded while nobody was signed in goes over into the database of the user who is there now, and is nobody's no more.
async function takeOver(name) {
    if (name === null || name === records.name) return;
    const nobodys = await Records.open(name);
    const theirs = await nobodys.all();
    await app.core.dispatch({ type: "adopt", records: theirs });
    const own = new Set((await records.all()).map(({ store, key }) => `${store} ${key}`));
    left = null; // if it did not come to that, the next start tries again
    if (theirs.some(({ store, key }) => store === "workouts" && !own.has(`${store} ${key}`))) return nobodys.close();
    await keep({ nobodys: null });
    await nobodys.erase();
}

// The server has forgotten the user, and so does the device.
export async function erased() {
    const [users] = await recall("users");
    const { name } = records;
    app.actions.stopSensors();
    await records.erase();
    records = null;
    const others = Object.entries(users ?? {}).filter(([, used]) => used !== name);
    await keep({ token: null, database: null, users: Object.fromEntries(others) });
    app.core.begin().then(() => say("Your data has been deleted."));
}
