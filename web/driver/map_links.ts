// Links that open the phone's own navigation.
import type { Stop } from "./shapes";

export const MAP_APPS = ["", "google", "apple", "waze", "geo"] as const;

export function mapLink(stop: Stop, app: string): string {
  const { latitude, longitude } = stop.plannedCoordinates;
  const place = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
  switch (app || suited()) {
    case "apple": return `https://maps.apple.com/?daddr=${place}`;
    case "waze": return `https://waze.com/ul?ll=${place}&navigate=yes`;
    case "geo": return `geo:${place}?q=${place}`;
    default: return `https://www.google.com/maps/dir/?api=1&destination=${place}`;
  }
}

// Android asks which app is to open a place; an iPhone has one of its own.
function suited(): string {
  if (/Android/.test(navigator.userAgent)) return "geo";
  return /iPhone|iPad|Macintosh.*Mobile/.test(navigator.userAgent) ? "apple" : "google";
}
