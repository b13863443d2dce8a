import { type Call } from "./calls.js";
import type { ImportedStop, StopDraftInput } from "./models.js";
import { Operations } from "./operations.js";
export declare const MOST_IMPORTED_AT_ONCE = 200;
/** What a program may want to log or count of each answer; nothing in it is secret. */
export interface Answered {
    method: string;
    /** As the interface names it, without ids. */
    path: string;
    status: number;
    requestId: string;
    idempotencyKey: string | undefined;
    /** Whether an earlier request with this key had the effect, and this is its answer. */
    wasReplayed: boolean;
}
export interface Settings {
    /** Of the service, such as https://plan.example.com; with /api/2024-07 at its end it is taken, too. */
    url: string;
    clientId: string;
    clientSecret: string;
    /** How often a call is tried; 5 without it. */
    tries?: number;
    timeoutSeconds?: number;
    fetch?: typeof globalThis.fetch;
    sleep?: (seconds: number) => Promise<void>;
    onAnswer?: (answered: Answered) => void;
}
/**
 * Asks a service as one API client. Tokens are got and renewed by themselves. A change has an
 * idempotency key before its first try, and is tried again after a lost connection, 429 and 503.
 */
export declare class Roundsman extends Operations {
    #private;
    constructor(settings: Settings);
    /**
     * Import any number of stops, in pieces of 200; each piece is imported whole or not. With a key
     * of your own the same stops may be sent again after a crash. A refusal names stops by their index
     * in `stops`; the pieces before it are imported.
     */
    importAllStops(stops: Iterable<StopDraftInput>, key?: string): AsyncGenerator<ImportedStop>;
    protected walk<T>(call: Call, rows: string): AsyncGenerator<T>;
    protected send<T>(call: Call): Promise<T>;
}
