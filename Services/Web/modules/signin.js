// Signing in: what a token says about its user, and OpenID Connect with a code and PKCE (RFC 7636) where the operator has
// set an issuer.

const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

// Who a token is for: the issuer and subject that it names; null for a text that is no token. Only the server checks it.
export function userOf(token) {
    try {
        const parts = token.split(".");
        if (parts.length !== 3) return null;
        const bytes = Uint8Array.from(atob(parts[1].replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
        const { iss, sub, name, preferred_username: login } = JSON.parse(new TextDecoder().decode(bytes));
        if (typeof iss !== "string" || typeof sub !== "string" || sub === "") return null;
        return { key: `${iss.length}:${iss}${sub}`, name: login ?? name ?? sub };
    } catch {
        return null;
    }
}

async function endpoints(issuer) {
    const answer = await fetch(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, { credentials: "omit" });
    const found = await answer.json();
    if (found.issuer !== issuer) throw new Error("the issuer names itself otherwise");
    return found;
}

const back = () => `${location.origin}/`;

// Sends the user to the issuer's page; `finish` takes up the way back.
export async function begin({ issuer, client, scope }) {
    const { authorization_endpoint: address } = await endpoints(issuer);
    const [state, verifier] = [random(), random()];
    sessionStorage.setItem("sign-in", JSON.stringify({ state, verifier }));
    const challenge = base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
    const target = new URL(address);
    target.search = new URLSearchParams([...target.searchParams, ...Object.entries({
        response_type: "code", client_id: client, redirect_uri: back(), scope: scope || "openid", state,
        code_challenge: challenge, code_challenge_method: "S256",
    })]);
    location.assign(target);
}

// The token for the code that the issuer has sent back; null when this start of the app is no way back.
export async function finish({ issuer, client }) {
    const answer = new URLSearchParams(location.search);
    if (!answer.has("state")) return null;
    const begun = JSON.parse(sessionStorage.getItem("sign-in") ?? "null");
    sessionStorage.removeItem("sign-in");
    history.replaceState(null, "", `/${location.hash}`);
    if (!begun || begun.state !== answer.get("state") || !answer.has("code")) return null;
    if (answer.has("iss") && answer.get("iss") !== issuer) return null; // RFC 9207: a code of somebody else
    const { token_endpoint: address } = await endpoints(issuer);
    const response = await fetch(address, {
        method: "POST", credentials: "omit",
        body: new URLSearchParams({
            grant_type: "authorization_code", code: answer.get("code"), redirect_uri: back(), client_id: client, code_verifier: begun.verifier,
        }),
    });
    if (!response.ok) return null;
    const { access_token: access, id_token: identity } = await response.json();
    return [access, identity].find((token) => token && userOf(token)) ?? null;
}
