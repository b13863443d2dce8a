// Links that open the phone's own navigation.
import { isNowhere } from "../kit/nowhere";
import type { Stop } from "./shapes";
import { addressOf } from "./shown_route";

export const MAP_APPS = ["", "google", "apple", "waze", "geo"] as const;

export function mapLink(stop: Stop, app: string): string {
  const { latitude, longitude } = stop.plannedCoordinates;
  const address = addressOf(stop);
  if (isNowhere(latitude, longitude) && address) return linkToAddress(encodeURIComponent(address), app || suited());
  const place = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
  switch (app || suited()) {
    case "apple": return `https://maps.apple.com/?daddr=${place}`;
    case "waze": return `https://waze.com/ul?ll=${place}&navigate=yes`;
    case "geo": return `geo:${place}?q=${place}`;
    default: return `https://www.google.com/maps/dir/?api=1&destination=${place}`;
  }
}

// Where the coordinates say nothing, the app that navigates looks for the address itself.
function linkToAddress(address: string, app: string): string {
  switch (app) {
    case "apple": return `https://maps.apple.com/?daddr=${address}`;
    case "waze": return `https://waze.com/ul?q=${address}&navigate=yes`;
    case "geo": return `geo:0,0?q=${address}`;
    default: return `https://www.google.com/maps/dir/?api=1&destination=${address}`;
  }
}

// Android asks which app is to open a place; an iPhone has one of its own.
function suited(): string {
  if (/Android/.test(navigator.userAgent)) return "geo";
  return /iPhone|iPad|Macintosh.*Mobile/.test(navigator.userAgent) ? "apple" : "google";
}
