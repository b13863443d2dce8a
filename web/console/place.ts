// A place as a planner types it: latitude and longitude, or an address from the street to the land.
import { zone, type Place } from "./session";

// Of the United States and Canada; many are codes of countries, too: MD is Maryland and Moldova.
const STATES = new Set(("AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA PR RI SC SD TN TX UT VT VA WA WV WI WY "
  + "AB BC MB NB NL NS NT NU ON PE QC SK YT").split(" "));
// Of these countries of the same continent the own code is one of a state, too: CO is Colorado and Colombia.
const OWN_ZONES: Record<string, RegExp> = { AR: /^America\/(Argentina\/|Buenos_Aires$)/, CO: /^America\/Bogota$/, PA: /^America\/Panama$/, PE: /^America\/Lima$/ };
const PROVINCE = /^([A-Za-z]{2,3})(?:\s+(\S+))?$/;

// Whether two letters at the end are a country: behind a state they are, and alone where no state is meant.
function isCountry(code: string, before: string): boolean {
  if (!/^[A-Za-z]{2}$/.test(code)) return false;
  const state = PROVINCE.exec(before)?.[1]?.toUpperCase() ?? "";
  const own = code.toUpperCase();
  return STATES.has(state) || OWN_ZONES[own]?.test(zone.value) === true || /^\d/.test(before) || !STATES.has(own) || !/^America\/|^Pacific\/Honolulu/.test(zone.value);
}

export function readPlace(text: string): Place | null {
  const pair = text.trim().match(/^(-?\d+(?:\.\d+)?)\s*[,; ]\s*(-?\d+(?:\.\d+)?)$/);
  if (pair) return { coordinates: { latitude: Number(pair[1]), longitude: Number(pair[2]) } };
  const parts = text.split(",").map((part) => part.trim()).filter(Boolean);
  if (parts.length < 2) return null;
  const address: Record<string, string> = { address1: parts.shift() ?? "" };
  if (parts.length > 1 && isCountry(parts.at(-1)!, parts.at(-2)!)) address["countryCode"] = (parts.pop() ?? "").toUpperCase();
  const province = (parts.at(-1) ?? "").match(PROVINCE);
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
