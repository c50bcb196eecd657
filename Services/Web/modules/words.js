// Numbers, distances, days and times as the reader's locale writes them.
import { decimalNumber, separators, wholeNumber } from "./numbers.js";
import { h } from "./view.js";

const locale = navigator.languages?.length ? [...navigator.languages] : undefined;
const made = new Map();

// The page is English; what a locale writes in words is marked as its language, so that it is read aloud as such.
const lang = new Intl.DateTimeFormat(locale).resolvedOptions().locale;
export const local = (text) => h("span", { lang }, text);

// Formatters are costly to make, so each is made once.
function formatter(kind, options) {
    const key = kind.name + JSON.stringify(options);
    if (!made.has(key)) made.set(key, new kind(locale, options));
    return made.get(key);
}

export const whole = (value) => formatter(Intl.NumberFormat, { maximumFractionDigits: 0 }).format(value);
export const percent = (value) => formatter(Intl.NumberFormat, { style: "percent", maximumFractionDigits: 0 }).format(value);
export const plural = (value, one, many) => `${whole(value)} ${value === 1 ? one : many}`;

const metresOf = { km: 1000, mi: 1609.344 };

// Metres in the unit that the user chose: distance(1250, "km") is 1.25 km, distance(250, "km") is 250 m.
export function distance(metres, unit, style = "short") {
    if (unit === "km" && metres > 0 && metres < 999.5) {
        return formatter(Intl.NumberFormat, { style: "unit", unit: "meter", unitDisplay: style, maximumFractionDigits: 0 }).format(metres);
    }
    const value = metres / metresOf[unit];
    const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return formatter(Intl.NumberFormat, {
        style: "unit", unit: unit === "mi" ? "mile" : "kilometer", unitDisplay: style,
        minimumFractionDigits: 0, maximumFractionDigits: digits,
    }).format(value);
}

// Numbers in fields: as they are shown there, and read again.
export const typed = (value) => formatter(Intl.NumberFormat, { useGrouping: false, maximumFractionDigits: 3 }).format(value);
export const readWhole = (text) => wholeNumber(text);
export const readDecimal = (text) => decimalNumber(text, locale);
export const decimalSign = () => new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === "decimal")?.value ?? separators(locale).decimal;

// A number of kilometres or miles for a field, and the metres of what was typed there.
export const inUnit = (metres, unit) => typed(Math.round(metres / metresOf[unit] * 1000) / 1000);
export const toMetres = (value, unit) => value * metresOf[unit];

// A civil day has no zone: it is formatted as the midnight of UTC that it names.
function civil(day, options) {
    return formatter(Intl.DateTimeFormat, { ...options, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}

export const weekday = (day) => civil(day, { weekday: "short" });
export const longDay = (day) => civil(day, { weekday: "long", day: "numeric", month: "long" });
export const fullDay = (day) => civil(day, { weekday: "short", day: "numeric", month: "short", year: "numeric" });
export const shortDay = (day) => civil(day, { day: "numeric", month: "short" });

// A moment of a workout, in the zone in which it was recorded.
export const clock = (milliseconds, timeZone) =>
    formatter(Intl.DateTimeFormat, { hour: "numeric", minute: "2-digit", timeZone }).format(new Date(milliseconds));
export const moment = (milliseconds) =>
    formatter(Intl.DateTimeFormat, { weekday: "short", hour: "numeric", minute: "2-digit" }).format(new Date(milliseconds));

// The day of a moment of a workout, in the zone in which it was recorded.
export const dayOf = (milliseconds, timeZone) =>
    formatter(Intl.DateTimeFormat, { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone }).format(new Date(milliseconds));

// A name that somebody gave: signs that turn the direction of writing around do not reach what stands beside it.
export const tame = (name) => String(name).replace(/[\u202A-\u202E\u2066-\u2069]/g, "");
export const named = (name, isAlone = false) => h("bdi", { class: isAlone ? "name clamp" : "name" }, tame(name));

// 3 725 000 is 1:02:05.
export function duration(milliseconds) {
    const seconds = Math.max(0, Math.floor(milliseconds / 1000));
    const two = (value) => String(value).padStart(2, "0");
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

// 3 725 000 is "1 hr 2 min".
export function span(milliseconds) {
    const minutes = Math.round(milliseconds / 60_000);
    const part = (value, unit) => formatter(Intl.NumberFormat, { style: "unit", unit, unitDisplay: "short" }).format(value);
    if (minutes < 1) return part(Math.max(0, Math.round(milliseconds / 1000)), "second");
    if (minutes < 60) return part(minutes, "minute");
    return `${part(Math.floor(minutes / 60), "hour")}${minutes % 60 ? ` ${part(minutes % 60, "minute")}` : ""}`;
}
