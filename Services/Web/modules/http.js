// Carries calls to the server and their answers back; what an answer means is the core's affair.

let token = null;

export const useToken = (text) => { token = text; };

// `date` is what the server's clock showed, in milliseconds.
//
// Sends what the effect `send` says. Status 0 is no answer: no network, too late, given up.
export async function send({ method, path, body, authenticated }, signal) {
    const headers = { Accept: "application/json" };
    if (authenticated && token) headers.Authorization = `Bearer ${token}`;
    if (body !== null && body !== undefined) headers["Content-Type"] = "application/json";
    try {
        const answer = await fetch(path, {
            method, headers, body: headers["Content-Type"] ? JSON.stringify(body) : undefined,
            cache: "no-store", credentials: "omit", redirect: "error",
            signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
        });
        const text = await answer.text();
        const date = Date.parse(answer.headers.get("Date"));
        const heard = { status: answer.status, ...(date > 0 && { date }) };
        try {
            return { ...heard, body: JSON.parse(text) };
        } catch {
            return { ...heard, body: null };
        }
    } catch {
        return { status: 0, body: null };
    }
}

// Everything of the user as the server streams it; null when it did not answer so.
export async function download(path) {
    try {
        const answer = await fetch(path, {
            headers: token ? { Authorization: `Bearer ${token}` } : {}, cache: "no-store", credentials: "omit", redirect: "error",
        });
        return answer.ok ? await answer.blob() : null;
    } catch {
        return null;
    }
}
