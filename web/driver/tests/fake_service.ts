// The service as the journal's protocol knows it: actions once by id, files in parts, answers that
// are lost, doubled or late. It keeps what arrived, so that a test can compare it with what the
// phone promised.
import type { Action, Result } from "../shapes";

export interface Trouble { lostRequest: number; lostAnswer: number; doubled: number; limited: number; failing: number }

interface Upload { size: number; received: Uint8Array[]; got: number; sha256: string }

export class FakeService {
  readonly sessions = new Map<string, { lastSequence: number; numbers: Map<number, string> }>();
  readonly actions = new Map<string, Action>();
  readonly uploads = new Map<string, Upload>();
  readonly wrong: string[] = [];
  token = "session-1";
  isDown = false;

  constructor(private readonly random: () => number, public trouble: Trouble) {}

  readonly fetch = async (path: string, init: RequestInit): Promise<Response> => {
    await Promise.resolve();
    const { lostRequest, lostAnswer, doubled, limited, failing } = this.trouble;
    if (this.isDown || this.random() < lostRequest) throw new TypeError("network");
    if (this.random() < limited) return answer(429, { code: 8 }, { "Retry-After": "1" });
    if (this.random() < failing) return answer(503, { code: 14 });
    let response = this.take(path, init);
    if (this.random() < doubled) response = this.take(path, init);
    await Promise.resolve();
    if (this.random() < lostAnswer) throw new TypeError("answer lost");
    return response;
  };

  private take(path: string, init: RequestInit): Response {
    const sent = new Headers(init.headers).get("Authorization");
    if (sent !== `Bearer ${this.token}`) return answer(401, { code: 16 });
    const session = this.session();
    const name = path.replace("/driver/api", "");
    if (name === "/journal") return answer(200, { lastSequence: session.lastSequence, gaps: this.gaps() });
    if (name === "/journal/known") {
      const { ids } = JSON.parse(init.body as string) as { ids: string[] };
      return answer(200, { known: ids.filter((id) => this.actions.has(id)) });
    }
    if (name === "/actions") return answer(200, this.record((JSON.parse(init.body as string) as { actions: Action[] }).actions));
    return this.upload(name.replace("/uploads/", ""), init);
  }

  session() {
    let found = this.sessions.get(this.token);
    if (!found) {
      found = { lastSequence: 0, numbers: new Map() };
      this.sessions.set(this.token, found);
    }
    return found;
  }

  gaps(): number[] {
    const { lastSequence, numbers } = this.session();
    return Array.from({ length: lastSequence }, (_, index) => index + 1).filter((number) => !numbers.has(number));
  }

  private record(batch: Action[]): { results: Result[] } {
    const session = this.session();
    const results = batch.map((action): Result => {
      const known = this.actions.get(action.id);
      if (known) {
        if (JSON.stringify(known) !== JSON.stringify(action)) this.wrong.push(`${action.id} came with other content`);
        return { id: action.id, outcome: "APPLIED", reason: "", message: "" };
      }
      const other = session.numbers.get(action.sequence);
      if (other !== undefined) this.wrong.push(`number ${action.sequence} came twice: ${other}, ${action.id}`);
      session.numbers.set(action.sequence, action.id);
      session.lastSequence = Math.max(session.lastSequence, action.sequence);
      this.actions.set(action.id, action);
      return { id: action.id, outcome: "APPLIED", reason: "", message: "" };
    });
    return { results };
  }

  private upload(id: string, init: RequestInit): Response {
    const found = this.uploads.get(id);
    if (init.method === "GET") return found ? answer(200, { size: found.size, received: found.got, complete: found.got === found.size }) : answer(404, { code: 5 });
    const headers = new Headers(init.headers);
    const [, first, size] = /bytes (\d+)-\d+\/(\d+)/.exec(headers.get("Content-Range") ?? "")!;
    const upload = found ?? { size: Number(size), received: [], got: 0, sha256: headers.get("X-Content-SHA256")! };
    if (Number(first) > upload.got) return answer(400, { code: 9 });
    const part = (init.body as Uint8Array).slice(upload.got - Number(first));
    if (part.length) upload.received.push(part);
    upload.got += part.length;
    this.uploads.set(id, upload);
    return answer(200, { size: upload.size, received: upload.got, complete: upload.got === upload.size });
  }

  bytesOf(id: string): Uint8Array {
    const { received } = this.uploads.get(id)!;
    const whole = new Uint8Array(received.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of received) { whole.set(part, at); at += part.length; }
    return whole;
  }
}

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

// Mulberry32: small, and the same on every machine.
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
