// All vans along one axis of time: each stop where it is expected, late ones red, and now.
import { computed } from "@preact/signals";
import { useSeen } from "../kit/windowed";
import { t } from "../kit/words";
import { day, drawnRoutes, isLargeDay, now, shownRoutes } from "./day";
import { dropTarget } from "./dragging";
import { go } from "./places";
import { hasTimes, time } from "./route_items";
import type { DayRoute } from "./shapes";

const HOUR = 3_600_000;

interface Span { first: number; last: number }

const span = computed<Span | null>(() => {
  let first = Infinity, last = -Infinity;
  const note = (timestamp: string | null | undefined) => {
    if (!timestamp) return;
    const instant = Date.parse(timestamp);
    first = Math.min(first, instant);
    last = Math.max(last, instant);
  };
  for (const route of drawnRoutes.value) {
    note(route.scheduledFor);
    note(route.expectedEnd);
    route.stops.updatedArrivals.forEach(note);
  }
  if (first > last) return null;
  first = Math.floor(first / HOUR) * HOUR;
  return { first, last: Math.max(first + HOUR, Math.ceil(last / HOUR) * HOUR) };
});

const at = ({ first, last }: Span, instant: number) => `${((instant - first) / (last - first)) * 100}%`;

export function Timeline() {
  const shown = span.value, routes = drawnRoutes.value;
  const hours = shown ? Array.from({ length: Math.round((shown.last - shown.first) / HOUR) + 1 }, (_, index) => shown.first + index * HOUR) : [];
  const step = Math.max(1, Math.ceil(hours.length / 12));
  return (
    <section aria-label={t("timeline")} class="timeline">
      {!routes.length && <p class="soft">{!day.value || shownRoutes.value.length ? t("loading") : day.value.routes.length ? "" : t("noRoutes")}</p>}
      {shown && (
        <div class="hours" aria-hidden="true">
          {hours.filter((_, index) => index % step === 0).map((hour) => <span key={hour} style={{ left: at(shown, hour) }}>{time(new Date(hour).toISOString())}</span>)}
        </div>
      )}
      {routes.length > 0 && <ul>{routes.map((route) => <Row key={route.id} route={route} shown={shown} />)}</ul>}
    </section>
  );
}

function Row({ route, shown }: { route: DayRoute; shown: Span | null }) {
  const [wasSeen, row] = useSeen<HTMLLIElement>(!isLargeDay.value);
  return (
    <li ref={row} {...dropTarget(route.id)}>
      {/* No second link of that name: who uses the keyboard has the route's item beside it. */}
      <span class="who" onClick={() => { go(`route/${route.id}`); }}>{route.name}</span>
      <div class="track">
        {shown && wasSeen && <Marks route={route} shown={shown} />}
        {shown && <Now shown={shown} />}
        {route.stops.ids.length > 0 && !hasTimes(route) && <span class="soft">{t("noTimesYet")}</span>}
      </div>
    </li>
  );
}

function Now({ shown }: { shown: Span }) {
  return now.value > shown.first && now.value < shown.last ? <i class="now" style={{ left: at(shown, now.value) }} /> : null;
}

function Marks({ route, shown }: { route: DayRoute; shown: Span }) {
  return route.stops.ids.map((id, index) => {
    const arrival = route.stops.updatedArrivals[index];
    return arrival && (
      <a key={id} href={`#/route/${route.id}/stop/${id}`} class={route.stops.late[index] ? "mark late" : "mark"} tabIndex={-1}
        title={`${route.stops.names[index]} ${time(arrival)}`} aria-hidden="true"
        style={{ marginInlineStart: `calc(${at(shown, Date.parse(arrival))} - .75rem)`, background: route.stops.late[index] ? undefined : route.color }}>{index + 1}</a>
    );
  });
}
