// What a call is, before anything was sent.

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

export function urlOf(base: string, call: Call): string {
  let path = call.template;
  for (const [name, value] of Object.entries(call.path ?? {})) path = path.replace(`{${name}}`, encodeURIComponent(value));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value === undefined || value === null) continue;
    if (typeof value === "object") for (const [part, said] of Object.entries(value)) query.append(`${name}.${part}`, String(said));
    else query.append(name, String(value));
  }
  const text = query.toString();
  return text ? `${base}${path}?${text}` : `${base}${path}`;
}
