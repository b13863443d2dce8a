export interface Violation {
    field?: string;
    type?: string;
    subject?: string;
    description: string;
}
export interface ApiErrorDetail {
    "@type"?: string;
    fieldViolations?: Violation[];
    violations?: Violation[];
    changes?: Record<string, unknown>[];
}
/** Anything that this package throws. */
export declare class RoundsmanError extends Error {
    /** The key that a change was sent with: sent again with it, it still has one effect. */
    idempotencyKey: string | undefined;
    constructor(message: string, options?: ErrorOptions);
}
/** The service could not be reached, or its answer was lost, however often it was tried. */
export declare class ConnectionFailed extends RoundsmanError {
}
/** A webhook that is not from the service, or is too old. */
export declare class WebhookRefused extends RoundsmanError {
}
/** The service refused: `code` says how, `message` why, in words. */
export declare class ApiError extends RoundsmanError {
    readonly status: number;
    readonly code: number;
    readonly details: ApiErrorDetail[];
    readonly requestId: string;
    /** After how many seconds to try again, where the service says so. */
    readonly retryAfter: number | undefined;
    constructor(status: number, code: number, message: string, details?: ApiErrorDetail[], requestId?: string, 
    /** After how many seconds to try again, where the service says so. */
    retryAfter?: number | undefined);
    /** What is wrong: fields, or what stands in the way. */
    get violations(): Violation[];
    /** The smallest changes that would help, where the service knows. */
    get changes(): Record<string, unknown>[];
}
export declare class InvalidArgument extends ApiError {
    /** Have indices of a piece, which begins at `first`, be those of the whole list. */
    countFrom(first: number): void;
}
export declare class NotFound extends ApiError {
}
export declare class PermissionDenied extends ApiError {
}
export declare class ResourceExhausted extends ApiError {
}
export declare class FailedPrecondition extends ApiError {
}
/** The route has another version than `ifMatch` named. */
export declare class ChangedMeanwhile extends FailedPrecondition {
}
export declare class Aborted extends ApiError {
}
export declare class Unavailable extends ApiError {
}
export declare class Unauthenticated extends ApiError {
}
/** The error that an answer is; also of a proxy, which answers what it likes. */
export declare function errorOf(response: Response): Promise<ApiError>;
