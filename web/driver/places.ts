// Which screen is shown, by the address behind the #.
import { computed, signal } from "@preact/signals";
import { decoded } from "../kit/addresses";

const read = () => location.hash.replace(/^#\/?/, "");

export const path = signal(read());
addEventListener("hashchange", () => { path.value = read(); scrollTo(0, 0); });

export const parts = computed(() => path.value.split("/").map(decoded));

export const routeAddress = (routeId: string) => `#/route/${encodeURIComponent(routeId)}`;
export const stopAddress = (routeId: string, stopId: string) => `${routeAddress(routeId)}/stop/${encodeURIComponent(stopId)}`;

export const isAt = (address: string) => location.hash === address;

export function go(address: string): void {
  location.hash = address;
}
