export interface CallOptions {
    /** Of your own making, to be safe against a crash of your program, too. */
    idempotencyKey?: string;
    /** The tag of the route that the change was decided on. */
    ifMatch?: string;
}
export interface Call {
    method: string;
    template: string;
    path?: Record<string, string>;
    query?: Record<string, unknown>;
    body?: unknown;
    options?: CallOptions;
    takesKey?: boolean;
    answersFile?: boolean;
}
export declare function urlOf(base: string, call: Call): string;
