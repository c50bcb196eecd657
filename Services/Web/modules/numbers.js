// Numbers as people type them, in any locale: groups, decimals and digits of their own. What could be read in two ways, or in
// none, is refused; a part of what was typed is never left out.

const digits = /\p{Nd}/u;

// The digits of every script stand in runs of ten that begin with zero, some runs right behind each other.
function digit(character) {
    let before = 0;
    for (let code = character.codePointAt(0) - 1; digits.test(String.fromCodePoint(code)); code -= 1) before += 1;
    return String(before % 10);
}

// Digits as 0 to 9, every space as " ", every apostrophe as "'", what only Arabic has as "g" for groups and "d" for decimals.
function plain(text) {
    return text.replace(/[\u200E\u200F\u061C]/g, "").trim()
        .replace(/\p{Nd}/gu, digit).replace(/\s/g, " ").replace(/[\u2018\u2019\u02BC\u00B4`]/g, "'")
        .replace(/[\u060C\uFF0C]/g, ",").replace(/\uFF0E/g, ".").replace(/\u066C/g, "g").replace(/\u066B/g, "d");
}

// What stands between groups and before decimals where the reader lives.
export function separators(locale) {
    const parts = new Intl.NumberFormat(locale).formatToParts(1234567.5);
    const of = (kind) => parts.find(({ type }) => type === kind)?.value ?? "";
    const [group, decimal] = [of("group"), of("decimal")].map((sign) => (sign.trim() === "" && sign !== "" ? " " : plain(sign)));
    return { group, decimal };
}

// Groups of three, as 1 234 567, or with pairs before them, as 12,34,567.
const isGrouped = (parts) => /^[1-9]\d{0,2}$/.test(parts[0]) && /^\d{3}$/.test(parts.at(-1))
    && (parts.slice(1).every((part) => part.length === 3) || (parts[0].length < 3 && parts.slice(1, -1).every((part) => part.length === 2)));

// The whole number in a text; NaN if there is none. Whatever stands between its groups of three: 1500 is "1,500", "1.500" and "1 500".
export function wholeNumber(text) {
    const clean = plain(text);
    if (/^\d+$/.test(clean)) return Number(clean);
    const [sign] = /[^\d]/.exec(clean) ?? [""];
    if (!"., 'g".includes(sign) || sign === "") return NaN;
    const parts = clean.split(sign);
    return parts.every((part) => /^\d+$/.test(part)) && isGrouped(parts) ? Number(parts.join("")) : NaN;
}

// The number in a text, with decimals or without; NaN if there is none, or two that it could be.
export function decimalNumber(text, locale) {
    const clean = plain(text);
    if (/^\d+$/.test(clean)) return Number(clean);
    if (!/^[\d., 'gd]+$/.test(clean)) return NaN;
    const { group, decimal } = separators(locale);
    const signs = [...new Set(clean.replace(/\d/g, ""))];
    const [last] = clean.match(/[^\d](?=\d+$)/) ?? [""];
    if (last === "" || signs.length > 2) return NaN;
    const [front, behind] = [clean.slice(0, clean.lastIndexOf(last)), clean.slice(clean.lastIndexOf(last) + 1)];
    const isOnce = !front.includes(last);
    const whole = front === "" ? 0 : wholeNumber(front);
    const asDecimal = isOnce && ".,d".includes(last) && (front === "" || !Number.isNaN(whole)) ? Number(`${whole}.${behind}`) : NaN;
    const asGroups = signs.length === 1 && last !== "d" ? wholeNumber(clean) : NaN;
    if (Number.isNaN(asGroups) || Number.isNaN(asDecimal)) return Number.isNaN(asGroups) ? asDecimal : asGroups;
    return last === decimal ? asDecimal : last === group ? asGroups : NaN;
}
