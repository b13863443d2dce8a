// Keeps the app's files on the phone, so that it opens without a network. The list of files and a
// version of all of them stand in front of this script; the server writes them there, so a new
// version of any file is a new worker. It takes over when the app is opened the next time.
interface Window { url: string; focused: boolean; focus(): Promise<unknown> }
interface WorkerScope extends EventTarget {
  registration: { showNotification(title: string, options: object): Promise<void> };
  KEPT_FILES: string[];
  KEPT_VERSION: string;
  clients: { claim(): Promise<void>; matchAll(which: object): Promise<Window[]>; openWindow(address: string): Promise<unknown> };
}
interface WorkerEvent extends Event { waitUntil(work: Promise<unknown>): void }
interface Pressed extends WorkerEvent { notification: { close(): void } }
interface Asked extends WorkerEvent { request: Request; respondWith(answer: Promise<Response>): void }

const scope = self as unknown as WorkerScope;
const FILES = `roundsman-driver-${scope.KEPT_VERSION}`;
const TILES = "roundsman-tiles";
const WORDS = "roundsman-notice";
const NOTICE_WORDS = "/driver/notice.json";
const SHELL = "/driver";
const SERVER = /^\/driver\/(api|attachments)(\/|$)/;

// Where the browser reads codes by itself nobody asks for the reader of ours.
const isAskedFor = (path: string) => !("BarcodeDetector" in self && /barcodes\.js$|\.wasm$/.test(path));

const filesKept = new Set(scope.KEPT_FILES.filter(isAskedFor));

scope.addEventListener("install", (event) => {
  (event as WorkerEvent).waitUntil(caches.open(FILES).then((cache) => cache.addAll([...filesKept].map((path) => new Request(path, { cache: "reload" })))));
});

scope.addEventListener("activate", (event) => {
  const clean = async () => {
    for (const name of await caches.keys()) if (name.startsWith("roundsman-driver-") && name !== FILES) await caches.delete(name);
    await scope.clients.claim();
  };
  (event as WorkerEvent).waitUntil(clean());
});

scope.addEventListener("fetch", (event) => {
  const asked = event as Asked;
  const url = new URL(asked.request.url);
  if (asked.request.method !== "GET" || url.origin !== location.origin || SERVER.test(url.pathname)) return;
  if (filesKept.has(url.pathname)) asked.respondWith(fromFiles(asked.request, url.pathname));
  else if (asked.request.mode === "navigate") asked.respondWith(page(asked.request));
  else if (url.pathname === "/map") asked.respondWith(streets(asked.request));
  else if (url.pathname.startsWith("/map/")) asked.respondWith(tile(asked.request));
});

async function fromFiles(request: Request, path: string): Promise<Response> {
  return (await (await caches.open(FILES)).match(path)) ?? fetch(request);
}

// An invite's page comes from the server; without a network the app itself opens and says so.
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const shell = await (await caches.open(FILES)).match(SHELL);
    if (shell) return shell;
    throw error;
  }
}

// What there is to look at, as the server says it now; as it was said last without a network.
async function streets(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(TILES)).match("/map");
    if (kept) return kept;
    throw error;
  }
}

// Tiles of the route's area are kept by the app; others are asked for and not kept.
async function tile(request: Request): Promise<Response> {
  return (await (await caches.open(TILES)).match(request.url)) ?? fetch(request);
}

// A planner has changed something. Whoever looks at the app sees it there, so the notice makes no
// sound; it is shown all the same, because Safari ends the subscription of who shows none.
scope.addEventListener("push", (event) => {
  const show = async () => {
    const open = await scope.clients.matchAll({ type: "window" });
    const isInFront = open.some((one) => one.focused);
    const kept = await (await caches.open(WORDS)).match(NOTICE_WORDS);
    const { title, body } = kept ? await kept.json() as { title: string; body: string } : { title: "Roundsman", body: "" };
    await scope.registration.showNotification(title, { body, tag: "route", silent: isInFront, icon: "/driver/icon-192.png", badge: "/driver/icon-192.png" });
  };
  (event as WorkerEvent).waitUntil(show());
});

scope.addEventListener("notificationclick", (event) => {
  const pressed = event as Pressed;
  const show = async () => {
    pressed.notification.close();
    const [open] = await scope.clients.matchAll({ type: "window" });
    await (open ? open.focus() : scope.clients.openWindow(SHELL));
  };
  pressed.waitUntil(show());
});
