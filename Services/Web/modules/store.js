// The databases on the device. The core decides what is in them; here keys and values only go in and out.
//
// Each user has a database, because a queue never moves from one account to another; a small one beside them holds what only
// the browser knows: whose turn it is, the token, the unit.

const stores = ["workouts", "days", "state", "boards"];
const layout = [...stores, "screens"]; // pictures of screens are the page's own (picture.js)

// Hears of a database that was taken away while it was open.
export const lost = { tell() {} };

function open(name, version, layout) {
    return new Promise((resolve, reject) => {
        const request = indexedDB.open(name, version);
        request.onupgradeneeded = () => layout
            .filter((store) => !request.result.objectStoreNames.contains(store))
            .forEach((store) => request.result.createObjectStore(store));
        request.onsuccess = () => {
            // A newer version of the app in another window changes the layout, or somebody removes the data: let it, and begin anew.
            request.result.onversionchange = () => {
                request.result.close();
                lost.tell(name);
            };
            request.result.onclose = () => lost.tell(name); // closed by the browser, as it does when it clears a site's data
            resolve(request.result);
        };
        request.onerror = () => reject(request.error);
    });
}

function finished(transaction) {
    return new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
    });
}

// What the core keeps of one user.
export class Records {
    static async open(name) {
        const records = new Records();
        records.name = name;
        records.database = await open(name, 2, layout);
        return records;
    }

    // Every record as { store, key, value }.
    async all() {
        const transaction = this.database.transaction(stores);
        const asked = stores.map((name) => {
            const store = transaction.objectStore(name);
            return [name, store.getAllKeys(), store.getAll()];
        });
        await finished(transaction);
        return asked.flatMap(([store, keys, values]) =>
            keys.result.map((key, index) => ({ store, key, value: values.result[index] })));
    }

    // Writes and removes, all or nothing, and returns when it would survive a crash.
    async write({ put = [], remove = [] }) {
        const transaction = this.database.transaction(layout, "readwrite", { durability: "strict" });
        for (const { store, key, value } of put) transaction.objectStore(store).put(value, key);
        for (const { store, key } of remove) transaction.objectStore(store).delete(key);
        await finished(transaction);
    }

    // Keeps a picture of a screen whose records are stored already; whether it survives a crash does not matter.
    draw({ store, key, value }) {
        try {
            this.database.transaction(store, "readwrite", { durability: "relaxed" }).objectStore(store).put(value, key);
        } catch { /* The database has been taken away, and this page with it. */ }
    }

    close() { this.database.close(); }

    // Removes the whole database.
    async erase() {
        this.close();
        await new Promise((resolve, reject) => {
            const request = indexedDB.deleteDatabase(this.name);
            request.onsuccess = () => resolve();
            request.onerror = () => reject(request.error);
        });
    }
}

// Opened at once: nothing can be shown before.
let session = open("stride-session", 1, ["values"]);
session.catch(() => { session = null; }); // whoever wants it tries again

// What the browser knows itself, by name; null when there is nothing.
export async function recall(...names) {
    session ??= open("stride-session", 1, ["values"]);
    const transaction = (await session).transaction("values");
    const asked = names.map((name) => transaction.objectStore("values").get(name));
    await finished(transaction);
    return asked.map((request) => request.result ?? null);
}

// Keeps values by name, all or none; null removes one.
export async function keep(values) {
    session ??= open("stride-session", 1, ["values"]);
    const transaction = (await session).transaction("values", "readwrite", { durability: "strict" });
    for (const [name, value] of Object.entries(values)) {
        if (value === null) transaction.objectStore("values").delete(name);
        else transaction.objectStore("values").put(value, name);
    }
    await finished(transaction);
}
