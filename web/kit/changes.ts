// The stream of changes: Server-Sent Events over fetch, because it carries a token and a cookie
// alike. A stream that falls silent is taken for lost; it is opened again from its last id.
import { BASE, headersOf, type Caller } from "./http";

const SILENT_AFTER_MS = 20_000; // the server says something every 15 s
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

export interface Change {
  kind: string;
  id: string;
  routeId?: string;
  topic?: string;
}

export interface Position {
  driverId: string;
  routeId: string;
  coordinates: { latitude: number; longitude: number };
  at: string;
}

export interface Listener {
  changed(change: Change): void;
  moved(position: Position): void;
  opened(): void;
  lost(): void;
  refused(): void; // whoever asked may not any more
}

export function followChanges(caller: () => Caller, after: string, listener: Listener): () => void {
  let last = after;
  let wait = FIRST_PAUSE_MS;
  let current: AbortController | null = null;
  let timer = 0;
  let isOver = false;

  function read(block: string): void {
    let name = "message", data = "", id = "";
    for (const line of block.split("\n")) {
      const at = line.indexOf(":");
      const field = at < 0 ? line : line.slice(0, at);
      const value = at < 0 ? "" : line.slice(at + 1).replace(/^ /, "");
      if (field === "event") name = value;
      else if (field === "data") data += value;
      else if (field === "id") id = value;
    }
    if (id) last = id;
    if (!data) return;
    if (name === "change") listener.changed(JSON.parse(data) as Change);
    else if (name === "position") listener.moved(JSON.parse(data) as Position);
  }

  async function run(): Promise<void> {
    const controller = new AbortController();
    current = controller;
    let silence = 0;
    const heard = () => {
      clearTimeout(silence);
      silence = window.setTimeout(() => controller.abort(), SILENT_AFTER_MS);
    };
    try {
      heard();
      const who = caller();
      const response = await fetch(`${BASE}/changes${last ? `?after=${encodeURIComponent(last)}` : ""}`, {
        headers: { Accept: "text/event-stream", ...headersOf(who, false) }, signal: controller.signal,
        cache: "no-store", credentials: who.token ? "omit" : "same-origin", redirect: "error",
      });
      if (response.status === 401 || response.status === 403) {
        isOver = true;
        listener.lost();
        listener.refused();
        return;
      }
      if (response.status === 400) last = ""; // too old a cursor: whoever listens reads everything anew
      if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
      listener.opened();
      wait = FIRST_PAUSE_MS;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        heard();
        rest += value.replaceAll("\r", "");
        for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
          read(rest.slice(0, end));
          rest = rest.slice(end + 2);
        }
      }
    } catch {
      // Whatever ended it, it is opened again below; the page says that it is no longer live.
    } finally {
      clearTimeout(silence);
    }
    if (isOver) return;
    listener.lost();
    timer = window.setTimeout(run, wait);
    wait = Math.min(LONGEST_PAUSE_MS, wait * 2);
  }

  const again = () => { if (!isOver) { clearTimeout(timer); wait = FIRST_PAUSE_MS; current?.abort(); timer = window.setTimeout(run, 50); } };
  const offline = () => { current?.abort(); };
  addEventListener("online", again);
  addEventListener("offline", offline);
  void run();
  return () => {
    isOver = true;
    clearTimeout(timer);
    current?.abort();
    removeEventListener("online", again);
    removeEventListener("offline", offline);
  };
}
