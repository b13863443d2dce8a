// How much room the phone has. What browsers say of it is not always what they refuse by (Chromium
// says ten gigabytes whatever is left), so the first refusal is remembered, and after it a try tells.
import { signal } from "@preact/signals";

export type Room = "plenty" | "little" | "none";

export const TILES = "roundsman-tiles"; // the cache of the streets around a route, which can be had again
const LITTLE_SPACE = 50 * 1024 * 1024;
const NO_SPACE = 3 * 1024 * 1024;
const PICTURE_BYTES = 256 * 1024;

// What refusals have told: "none" while nothing more can be written at all.
export const room = signal<Room>("plenty");

export const isFull = (error: unknown): boolean => error instanceof Error && error.name === "QuotaExceededError";

// What is only lost to the next start of the app is no reason to stop.
export function unlessFull(error: unknown): void {
  if (!isFull(error)) throw error;
}

export async function forgetTiles(): Promise<void> {
  if ("caches" in globalThis) await caches.delete(TILES).catch((error: unknown) => { console.warn(error); }); // rows may be gone all the same
}

// Whether there is room for a picture.
export async function spaceLeft(store: { hasRoomFor(bytes: number): Promise<boolean> }): Promise<Room> {
  const { quota = Infinity, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  const left = quota - usage;
  const said = left < NO_SPACE ? "none" : left < LITTLE_SPACE ? "little" : "plenty";
  if (said === "none" || room.value === "plenty") return said;
  return await store.hasRoomFor(PICTURE_BYTES) ? "little" : "none";
}
