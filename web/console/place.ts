// A place as a planner types it: latitude and longitude, or an address from the street to the land.
import type { Place } from "./session";

export function readPlace(text: string): Place | null {
  const pair = text.trim().match(/^(-?\d+(?:\.\d+)?)\s*[,; ]\s*(-?\d+(?:\.\d+)?)$/);
  if (pair) return { coordinates: { latitude: Number(pair[1]), longitude: Number(pair[2]) } };
  const parts = text.split(",").map((part) => part.trim()).filter(Boolean);
  if (parts.length < 2) return null;
  const address: Record<string, string> = { address1: parts.shift() ?? "" };
  const last = parts.at(-1) ?? "";
  if (/^[A-Za-z]{2}$/.test(last) && parts.length > 1) address["countryCode"] = (parts.pop() ?? "").toUpperCase();
  const province = (parts.at(-1) ?? "").match(/^([A-Za-z]{2,3})(?:\s+(\S+))?$/);
  if (province && parts.length > 1) {
    parts.pop();
    address["provinceCode"] = province[1]!.toUpperCase();
    if (province[2]) address["zip"] = province[2];
  }
  const town = parts.join(", ").match(/^(\d[\w-]*)\s+(.+)$/);
  address["city"] = town ? town[2]! : parts.join(", ");
  if (town) address["zip"] = town[1]!;
  return { address };
}

export function sayPlace(place: Place | undefined): string {
  if (place?.coordinates) return `${place.coordinates.latitude}, ${place.coordinates.longitude}`;
  return Object.values(place?.address ?? {}).filter(Boolean).join(", ");
}
