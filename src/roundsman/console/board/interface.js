// Asking the public interface, and what went wrong in words that a planner understands.

export const BASE = "/api/2024-07";
export const MEMBERS = "/members/api";
const LONGEST_WAIT_SECONDS = 15, TRIES = 4;

// `kind` says who can do something about it: "session" asks to sign in again, "away" to look after
// the server or the network.
export class Refusal extends Error {
  constructor(kind, title, words) {
    super(`${title} ${words}`);
    Object.assign(this, { kind, title, words });
  }
}

// A session that is over is for who shows the pages; everything else is said in place.
export function requireSayable(error) {
  if (!(error instanceof Refusal) || error.kind === "session") throw error;
}

const pause = (seconds, signal) => new Promise((resolve, reject) => {
  const timer = setTimeout(resolve, seconds * 1000);
  signal?.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
});

// With a token the browser keeps cookies to itself, so that nobody asks as two people at once.
async function send(path, { base = BASE, method, token, csrf, body, signal }) {
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (csrf) headers["X-CSRF-Token"] = csrf;
  if (body) headers["Content-Type"] = "application/json";
  try {
    return await fetch(base + path, {
      method: method ?? (body ? "POST" : "GET"), headers, body: body && JSON.stringify(body), signal,
      cache: "no-store", credentials: token ? "omit" : "same-origin", redirect: "error", referrerPolicy: "no-referrer",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal("away", "The server does not answer.", "It may be starting again, or the network between you and it is down.");
  }
}

async function told(response) {
  try {
    return await response.json();
  } catch {
    return {};
  }
}

async function refusalOf(response, path) {
  const { message = "", code, details = [] } = await told(response);
  const request = response.headers.get("X-Request-Id");
  const named = request ? ` Whoever looks after the server finds it in the log as request ${request}.` : "";
  if (response.status === 401 && path === "/authenticate") return new Refusal("credentials", "These do not belong together.", "The server knows no such client ID with this secret. A secret that was rotated away no longer works.");
  if (response.status === 401 && path === "/session" && code === 7) return new Refusal("credentials", "E-mail and password do not match.", "Somebody who runs the server can have you choose a new password.");
  if (path === "/session" && code === 9) return Object.assign(new Refusal("organization", "You plan for several organizations.", "Choose one of them."), { organizations: (details[0]?.violations ?? []).map((one) => one.subject) });
  if (response.status === 401) return new Refusal("session", "You are signed in no more.", "The server does not take this session.");
  if (response.status === 404) return new Refusal("missing", "There is no such route.", "It may have been deleted, or belong to another organization.");
  if (response.status === 503) return new Refusal("away", "The server is not ready.", "Its database or another part of it does not answer. Nothing was changed.");
  if (response.status >= 500 || !code) return new Refusal("trouble", "Something went wrong in the server.", `It answered with status ${response.status}.${named}`);
  return new Refusal("trouble", "The server refused to answer.", `It says: ${message}.${named}`);
}

function limited(seconds) {
  return new Refusal("limited", "Too many requests.", `The server asks to wait ${seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}. These credentials may be in use elsewhere, too.`);
}

// Return the answer's JSON and headers. Where the server asks to wait a little, wait and ask again,
// unless somebody looks at a button that they have just pressed.
export async function ask(path, options = {}) {
  const tries = options.body || options.method ? 1 : TRIES;
  for (let tried = 1; ; tried++) {
    const response = await send(path, options);
    if (response.ok) return { body: await response.json(), headers: response.headers };
    if (response.status !== 429) throw await refusalOf(response, path);
    const seconds = Number(response.headers.get("Retry-After")) || 1;
    if (tried === tries || seconds > LONGEST_WAIT_SECONDS) throw limited(seconds);
    await pause(seconds, options.signal);
  }
}

// Which of a list's routes have estimates, by the header that names their places.
export function estimatedPlaces(header, length) {
  if (!header) return new Set();
  if (header === "true") return new Set(Array(length).keys());
  return new Set(header.split(",").map((place) => Number(place)));
}
