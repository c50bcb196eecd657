// What the browser knows of time zones, in the form in which the core wants it: from when on clocks are how far ahead.

const first = Date.UTC(2000, 0, 1);
const step = 20 * 86_400_000; // shorter than any pause between two changes that a calendar of a zone has had
const known = new Map();

export const deviceZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

// Seconds ahead of UTC at an instant, for a zone: Date knows the device's own and is much faster than Intl.
function offsetter(name) {
    if (name === deviceZone()) return (instant) => -60 * new Date(instant).getTimezoneOffset();
    const format = new Intl.DateTimeFormat("en-US-u-hc-h23", {
        timeZone: name, year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric",
    });
    return (instant) => {
        const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
        const local = Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second);
        return (local - Math.floor(instant / 1000) * 1000) / 1000;
    };
}

// { name, offsets } from 2000 to two years ahead; null for a name that the browser does not know.
export function zone(name) {
    if (known.has(name)) return known.get(name);
    try {
        const offset = offsetter(name);
        const offsets = [[first, offset(first)]];
        for (let at = first, end = Date.now() + 2 * 366 * 86_400_000; at < end; at += step) {
            let [low, high] = [at, at + step];
            const after = offset(high);
            if (after === offsets.at(-1)[1]) continue;
            while (high - low > 1000) {
                const middle = Math.floor((low + high) / 2000) * 1000;
                if (offset(middle) === after) high = middle;
                else low = middle;
            }
            offsets.push([high, after]);
        }
        known.set(name, { name, offsets });
        return known.get(name);
    } catch {
        return null;
    }
}
