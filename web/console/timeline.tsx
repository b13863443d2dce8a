// All vans along one axis of time: each stop where it is expected, late ones red, and now.
import { t } from "../kit/words";
import { day, now, shownRoutes } from "./day";
import { dropTarget } from "./dragging";
import { time } from "./route_items";
import type { DayRoute } from "./shapes";

const HOUR = 3_600_000;

function spanOf(routes: DayRoute[]): [number, number] | null {
  const instants = routes.flatMap((route) => [route.scheduledFor, route.expectedEnd, ...route.stops.updatedArrivals])
    .filter((one): one is string => !!one).map((one) => Date.parse(one));
  if (!instants.length) return null;
  const first = Math.floor(Math.min(...instants) / HOUR) * HOUR;
  return [first, Math.max(first + HOUR, Math.ceil(Math.max(...instants) / HOUR) * HOUR)];
}

export function Timeline() {
  const routes = shownRoutes.value;
  const span = spanOf(routes);
  const at = (instant: number) => span ? `${((instant - span[0]) / (span[1] - span[0])) * 100}%` : "0";
  const hours = span ? Array.from({ length: Math.round((span[1] - span[0]) / HOUR) + 1 }, (_, index) => span[0] + index * HOUR) : [];
  const step = Math.max(1, Math.ceil(hours.length / 12));
  return (
    <section aria-label={t("timeline")} class="timeline">
      {!span && <p class="soft">{day.value ? t("noRoutes") : t("loading")}</p>}
      {span && <>
        <div class="hours" aria-hidden="true">
          {hours.filter((_, index) => index % step === 0).map((hour) => <span key={hour} style={{ left: at(hour) }}>{time(new Date(hour).toISOString())}</span>)}
        </div>
        <ul>
          {routes.map((route) => (
            <li key={route.id} {...dropTarget(route.id)}>
              <a href={`#/route/${route.id}`} class="who">{route.name}</a>
              <div class="track">
                {route.stops.ids.map((id, index) => {
                  const arrival = route.stops.updatedArrivals[index];
                  return arrival && (
                    <a key={id} href={`#/route/${route.id}/stop/${id}`} class={route.stops.late[index] ? "mark late" : "mark"} tabIndex={-1}
                      title={`${route.stops.names[index]} ${time(arrival)}`} aria-hidden="true"
                      style={{ left: at(Date.parse(arrival)), background: route.stops.late[index] ? undefined : route.color }}>{index + 1}</a>
                  );
                })}
                {now.value > span[0] && now.value < span[1] && <i class="now" style={{ left: at(now.value) }} />}
              </div>
            </li>
          ))}
        </ul>
      </>}
    </section>
  );
}
