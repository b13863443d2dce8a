// The client: tokens, keys, retries, pages.
import { urlOf } from "./calls.js";
import { ApiError, ConnectionFailed, InvalidArgument, Unauthenticated, errorOf } from "./errors.js";
import { Operations } from "./operations.js";
const BASE_PATH = "/api/2024-07";
const LONGEST_PAUSE_SECONDS = 30;
// Who is asked to wait for longer is told at once: a retry before its time is of no use.
const LONGEST_ASKED_SECONDS = 120;
const RENEWED_EARLIER_SECONDS = 60;
export const MOST_IMPORTED_AT_ONCE = 200;
/** Where a service is; the documentation's BASE, which has the interface in it, is taken. */
function rootOf(url) {
    const address = url.replace(/\/+$/, "");
    return address.endsWith(BASE_PATH) ? address.slice(0, -BASE_PATH.length) : address;
}
/**
 * Asks a service as one API client. Tokens are got and renewed by themselves. A change has an
 * idempotency key before its first try, and is tried again after a lost connection, 429 and 503.
 */
export class Roundsman extends Operations {
    #settings;
    #token = "";
    #renewAt = 0;
    #signingIn = null;
    constructor(settings) {
        super();
        this.#settings = {
            tries: 5,
            timeoutSeconds: 60,
            fetch: globalThis.fetch.bind(globalThis),
            onAnswer: () => { },
            sleep: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
            ...settings,
            url: rootOf(settings.url),
        };
    }
    /**
     * Import any number of stops, in pieces of 200; each piece is imported whole or not. With a key
     * of your own the same stops may be sent again after a crash. A refusal names stops by their index
     * in `stops`; the pieces before it are imported.
     */
    async *importAllStops(stops, key = crypto.randomUUID()) {
        const all = [...stops];
        for (let start = 0; start < all.length; start += MOST_IMPORTED_AT_ONCE) {
            const idempotencyKey = `${key}-${start / MOST_IMPORTED_AT_ONCE}`;
            const piece = all.slice(start, start + MOST_IMPORTED_AT_ONCE);
            const answer = await this.importStops(piece, {}, { idempotencyKey }).catch((error) => {
                if (error instanceof InvalidArgument)
                    error.countFrom(start);
                throw error;
            });
            yield* answer.stops;
        }
    }
    async *walk(call, rows) {
        let cursor = "";
        do {
            // The arguments go along: a service that forgets them would begin anew.
            const query = cursor ? { ...call.query, cursor } : call.query ?? {};
            const page = await this.send({ ...call, query });
            yield* page[rows];
            cursor = String(page["nextCursor"] ?? "");
        } while (cursor);
    }
    async send(call) {
        const key = call.options?.idempotencyKey ?? (call.takesKey ? crypto.randomUUID() : undefined);
        const isSafe = call.method === "GET" || key !== undefined;
        let hasSignedInAgain = false;
        for (let failures = 0;;) {
            const token = await this.#signInInTime(key);
            let failure = null;
            let response = null;
            let answer;
            try {
                response = await this.#fetch(call, key, token);
                if (response.ok)
                    answer = call.answersFile ? new Uint8Array(await response.arrayBuffer()) : await response.json();
                else
                    failure = await errorOf(response);
            }
            catch (error) {
                failure = new ConnectionFailed(error instanceof Error ? error.message : String(error), { cause: error });
            }
            if (response)
                this.#report(call, key, response); // what a program throws there is its own, and nothing is tried again
            if (!failure)
                return answer;
            failure.idempotencyKey = key;
            if (failure instanceof Unauthenticated && !hasSignedInAgain) {
                hasSignedInAgain = true;
                if (this.#token === token)
                    this.#token = ""; // another call may have got a new one meanwhile
                continue;
            }
            failures += 1;
            if (failures >= this.#settings.tries || !mayHelp(failure, isSafe))
                throw failure;
            await this.#settings.sleep(pauseAfter(failures, failure));
        }
    }
    #report(call, key, response) {
        this.#settings.onAnswer({
            method: call.method,
            path: call.template,
            status: response.status,
            requestId: response.headers.get("x-request-id") ?? "",
            idempotencyKey: key,
            wasReplayed: response.headers.get("idempotency-replayed") === "true",
        });
    }
    #fetch(call, key, token) {
        const headers = { Authorization: `Bearer ${token}`, Accept: "application/json" };
        if (key !== undefined)
            headers["Idempotency-Key"] = key;
        if (call.options?.ifMatch)
            headers["If-Match"] = call.options.ifMatch;
        const init = { method: call.method, headers, signal: AbortSignal.timeout(this.#settings.timeoutSeconds * 1000) };
        if (call.body instanceof Uint8Array) {
            headers["Content-Type"] = "application/octet-stream";
            init.body = call.body;
        }
        else if (call.body !== undefined) {
            headers["Content-Type"] = "application/json";
            init.body = JSON.stringify(call.body);
        }
        return this.#settings.fetch(urlOf(this.#settings.url + BASE_PATH, call), init);
    }
    // Once, however many calls find that there is no token.
    async #signInInTime(key) {
        while (!this.#token || Date.now() >= this.#renewAt) {
            this.#signingIn ??= this.#signIn().finally(() => { this.#signingIn = null; });
            try {
                await this.#signingIn;
            }
            catch (error) {
                throw ownError(error, key);
            }
        }
        return this.#token;
    }
    async #signIn() {
        const { url, clientId, clientSecret, tries, timeoutSeconds, sleep } = this.#settings;
        const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
        for (let failures = 1;; failures += 1) {
            let failure;
            try {
                const response = await this.#settings.fetch(`${url}${BASE_PATH}/oauth/token`, {
                    method: "POST",
                    headers: { Authorization: `Basic ${btoa(pair)}`, "Content-Type": "application/x-www-form-urlencoded" },
                    body: "grant_type=client_credentials",
                    signal: AbortSignal.timeout(timeoutSeconds * 1000),
                });
                if (response.ok) {
                    const answer = await response.json();
                    this.#token = answer.access_token;
                    this.#renewAt = Date.now() + Math.max(answer.expires_in - RENEWED_EARLIER_SECONDS, 1) * 1000;
                    return;
                }
                failure = await errorOf(response);
            }
            catch (error) {
                failure = new ConnectionFailed(error instanceof Error ? error.message : String(error), { cause: error });
            }
            if (failures >= tries || !mayHelp(failure, true))
                throw failure;
            await sleep(pauseAfter(failures, failure));
        }
    }
}
// Callers that waited for one sign-in each get an error of their own: their keys differ.
function ownError(error, key) {
    if (error instanceof ApiError) {
        const Kind = error.constructor;
        const own = new Kind(error.status, error.code, error.message, error.details, error.requestId, error.retryAfter);
        return Object.assign(own, { idempotencyKey: key });
    }
    if (!(error instanceof ConnectionFailed))
        return error;
    return Object.assign(new ConnectionFailed(error.message, { cause: error }), { idempotencyKey: key });
}
// Where nothing happened, or what happened will not happen twice.
function mayHelp(failure, isSafe) {
    if (failure instanceof ConnectionFailed)
        return isSafe;
    if ((failure.retryAfter ?? 0) > LONGEST_ASKED_SECONDS)
        return false;
    if (failure.status === 429 || failure.status === 503)
        return true;
    return isSafe && (failure.code === 10 || failure.status === 502 || failure.status === 504);
}
// As long as the service says, else longer each time, and not all alike.
function pauseAfter(failures, failure) {
    if (failure instanceof ApiError && failure.retryAfter !== undefined)
        return failure.retryAfter;
    const longest = Math.min(0.25 * 2 ** failures, LONGEST_PAUSE_SECONDS);
    return longest / 2 + Math.random() * longest / 2;
}
