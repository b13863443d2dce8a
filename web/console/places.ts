// Which screen is open, by the address behind the #.
import { signal } from "@preact/signals";

export const path = signal(location.hash.replace(/^#\/?/, ""));

addEventListener("hashchange", () => { path.value = location.hash.replace(/^#\/?/, ""); });

export function go(to: string): void {
  location.hash = `#/${to}`;
}
