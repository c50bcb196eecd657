// Why the server refused something, in words of our own: what it says itself is for developers.
import { local, span } from "./words.js";

const things = [
    [/^\/end_time/, "Its end cannot be right."],
    [/^\/start_time/, "Its start cannot be right."],
    [/^\/steps/, "Its number of steps cannot be right."],
    [/^\/distance/, "Its distance cannot be right."],
    [/^\/time_?zone/i, "The server does not know this time zone."],
    [/^\/device_id/, "The name of the device is not allowed."],
    [/^\/week_start/, "The first day of the week cannot be right."],
    [/^\/plan_?name/i, "The name of the plan is not allowed."],
    [/^\/start_?date/i, "The day on which it begins cannot be right."],
    [/^\/template_?id/i, "The server does not know this plan any more."],
    [/^\/weekly_goals/, "The goal of a week cannot be right."],
    [/^\/name/, "The name is not allowed."],
    [/^\/score/, "The score cannot be right."],
    [/^\/image_url/, "The picture's address is not allowed."],
];

const codes = {
    IDEMPOTENCY_KEY_REUSED: "The server knows another one under the same number.",
    PAYLOAD_TOO_LARGE: "It is too large.",
    FORBIDDEN: "It is not allowed here.",
    NOT_FOUND: "The server does not know what it belongs to.",
};

// One or more sentences for { code, errors, clock_error }.
export function reason({ code, errors, clock_error: error }) {
    if (error > 0) return ["The clock of this device was ", local(span(error)), " fast when this was recorded. Sent again, it is moved by that."];
    const faults = (errors ?? []).map(({ pointer }) => things.find(([at]) => at.test(pointer))?.[1]).filter(Boolean);
    const words = [...new Set(faults)];
    return words.length > 0 ? words.join(" ") : codes[code] ?? "The server cannot take it as it is.";
}
