// What can go wrong, by the code of the answer.

export interface Violation { field?: string; type?: string; subject?: string; description: string }
export interface ApiErrorDetail { "@type"?: string; fieldViolations?: Violation[]; violations?: Violation[]; changes?: Record<string, unknown>[] }

/** Anything that this package throws. */
export class RoundsmanError extends Error {
  /** The key that a change was sent with: sent again with it, it still has one effect. */
  idempotencyKey: string | undefined = undefined;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The service could not be reached, or its answer was lost, however often it was tried. */
export class ConnectionFailed extends RoundsmanError {}

/** A webhook that is not from the service, or is too old. */
export class WebhookRefused extends RoundsmanError {}

/** The service refused: `code` says how, `message` why, in words. */
export class ApiError extends RoundsmanError {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly details: ApiErrorDetail[] = [],
    readonly requestId = "",
    /** After how many seconds to try again, where the service says so. */
    readonly retryAfter: number | undefined = undefined,
  ) {
    super(message);
  }

  /** What is wrong: fields, or what stands in the way. */
  get violations(): Violation[] {
    return this.details.flatMap((one) => [...(one.fieldViolations ?? []), ...(one.violations ?? [])]);
  }

  /** The smallest changes that would help, where the service knows. */
  get changes(): Record<string, unknown>[] {
    return this.details.flatMap((one) => one.changes ?? []);
  }
}

// Of a row of a request, in the name of a field or in words about it; not of a list in a row.
const INDEX = /(?<![\w\]])\[(\d+)\](?=\.|$| has the same)/g;

export class InvalidArgument extends ApiError {
  /** Have indices of a piece, which begins at `first`, be those of the whole list. */
  countFrom(first: number): void {
    const whole = (text: string) => text.replace(INDEX, (_, index: string) => `[${Number(index) + first}]`);
    this.message = whole(this.message);
    for (const one of this.violations) {
      if (one.field !== undefined) one.field = whole(one.field);
      one.description = whole(one.description);
    }
  }
}
export class NotFound extends ApiError {}
export class PermissionDenied extends ApiError {}
export class ResourceExhausted extends ApiError {}
export class FailedPrecondition extends ApiError {}
/** The route has another version than `ifMatch` named. */
export class ChangedMeanwhile extends FailedPrecondition {}
export class Aborted extends ApiError {}
export class Unavailable extends ApiError {}
export class Unauthenticated extends ApiError {}

const BY_CODE: Record<number, typeof ApiError> = {
  3: InvalidArgument, 5: NotFound, 7: PermissionDenied, 8: ResourceExhausted, 9: FailedPrecondition,
  10: Aborted, 14: Unavailable, 16: Unauthenticated,
};

interface ErrorBody { code?: unknown; message?: unknown; details?: ApiErrorDetail[]; error?: string; error_description?: string }

/** The error that an answer is; also of a proxy, which answers what it likes. */
export async function errorOf(response: Response): Promise<ApiError> {
  const parsed: unknown = await response.json().catch(() => ({}));
  const body = (typeof parsed === "object" && parsed !== null ? parsed : {}) as ErrorBody;
  const isOAuth = body.error !== undefined && body.code === undefined;
  const code = isOAuth ? 7 : typeof body.code === "number" ? body.code : 0;
  const said = isOAuth ? body.error_description ?? body.error : body.message;
  const Kind = response.status === 412 ? ChangedMeanwhile : BY_CODE[code] ?? ApiError;
  return new Kind(response.status, code, typeof said === "string" ? said : `the service answered ${response.status}`, body.details ?? [], response.headers.get("x-request-id") ?? "", secondsUntil(response));
}

// A number, or a date (RFC 9110, section 10.2.3).
function secondsUntil(response: Response): number | undefined {
  const said = response.headers.get("retry-after") ?? "";
  if (/^\d+$/.test(said)) return Number(said);
  const then = Date.parse(said);
  const answered = Date.parse(response.headers.get("date") ?? "");
  return Number.isNaN(then) ? undefined : Math.max((then - (Number.isNaN(answered) ? Date.now() : answered)) / 1000, 0);
}
