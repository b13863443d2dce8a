// Where the driver is: only while a route is under way, the app is on the screen and the phone signed in.
import { effect } from "@preact/signals";
import { isNowhere } from "../kit/nowhere";
import { OPENED, choices, lastFix, list, recordPosition, routeOf } from "./app";
import { isSignedOut } from "./pumps";
import { routeToGoOn } from "./shown_route";
import type { Fix } from "./shapes";
import { steadyNow } from "./steady";

const EVERY_MS = 30_000;
const MOVED_METERS = 100;
const METERS_A_DEGREE = 111_320;

let watch = 0;
let told: { fix: Fix; at: number } | null = null;

export function routeUnderWay(): string {
  return routeToGoOn(list.value, routeOf, choices.value[OPENED] ?? "");
}

function metersBetween(one: Fix, other: Fix): number {
  const north = (one.latitude - other.latitude) * METERS_A_DEGREE;
  const east = (one.longitude - other.longitude) * METERS_A_DEGREE * Math.cos((one.latitude * Math.PI) / 180);
  return Math.hypot(north, east);
}


function take({ coords }: GeolocationPosition): void {
  if (isNowhere(coords.latitude, coords.longitude)) return;
  const fix: Fix = { latitude: coords.latitude, longitude: coords.longitude, accuracyMeters: Math.min(1_000_000, coords.accuracy) };
  const now = steadyNow();
  lastFix.value = { fix, at: now };
  const routeId = routeUnderWay();
  if (!routeId || (told && now - told.at < EVERY_MS && metersBetween(told.fix, fix) < MOVED_METERS)) return;
  told = { fix, at: now };
  recordPosition(routeId, fix).catch((error: unknown) => { console.error(error); });
}

function stop(): void {
  if (watch) navigator.geolocation.clearWatch(watch);
  watch = 0;
  lastFix.value = null;
}

// A driver who lets nobody see the position drives all the same.
function start(): void {
  if (!watch && "geolocation" in navigator) watch = navigator.geolocation.watchPosition(take, () => { lastFix.value = null; }, { enableHighAccuracy: true, maximumAge: 10_000 });
}

export function followPosition(): void {
  const decide = () => { if (routeUnderWay() && !isSignedOut.value && document.visibilityState === "visible") start(); else stop(); };
  effect(decide);
  document.addEventListener("visibilitychange", decide);
}
