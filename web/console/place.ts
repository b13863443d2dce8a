// A place as a planner types it: latitude and longitude, or an address on one line, which the server takes apart.
import type { Place } from "./session";

const PAIR = /^(-?\d+(?:\.\d+)?)\s*[,; ]\s*(-?\d+(?:\.\d+)?)$/;

/** What was typed as a place. What a field was filled with, and nobody has changed, is the place that it was filled with. */
export function readPlace(text: string, shown?: Place): Place | null {
  if (shown && text === sayPlace(shown)) return shown;
  const pair = PAIR.exec(text.trim());
  if (pair) return { coordinates: { latitude: Number(pair[1]), longitude: Number(pair[2]) } };
  const parts = text.split(",").map((part) => part.trim()).filter(Boolean);
  return parts.length < 2 ? null : { address: { address1: parts.join(", ") } };
}

/** A place on one line. The parts of an address stand in the order in which the server reads them. */
export function sayPlace(place: Place | undefined): string {
  if (place?.coordinates) return `${place.coordinates.latitude}, ${place.coordinates.longitude}`;
  const { address1, address2, city, provinceCode, zip, countryCode } = place?.address ?? {};
  const region = [provinceCode, zip].filter(Boolean).join(" ");
  return [address1, address2, city, region, countryCode].filter(Boolean).join(", ");
}
