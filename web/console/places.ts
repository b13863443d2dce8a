// Which screen is open, by the address behind the #.
import { signal } from "@preact/signals";

export const path = signal(location.hash.replace(/^#\/?/, ""));

addEventListener("hashchange", () => { path.value = location.hash.replace(/^#\/?/, ""); });

// A part of an address that may be anything, as it was before it was made fit for one.
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // it was typed by hand
  }
}

export function go(to: string): void {
  location.hash = `#/${to}`;
}
