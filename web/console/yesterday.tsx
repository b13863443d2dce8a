// What of yesterday is still on the road: a night's route is of the day on which it leaves, and past
// midnight somebody looks for it on the new one.
import { useEffect, useState } from "preact/hooks";
import { daysLater } from "../kit/times";
import { t } from "../kit/words";
import { date, day, report, today } from "./day";
import { isUnderWay } from "./route_items";
import { call } from "./session";
import type { Day } from "./shapes";
import { sayDate } from "./summaries";

const MOST_NAMED = 5;

// Read anew with each answer about today: the server says in a few bytes that nothing has changed.
function useYesterday(): Day | null {
  const [found, setFound] = useState<{ day: Day; tag: string } | null>(null);
  const wanted = date.value === today() ? daysLater(date.value, -1) : "";
  useEffect(() => {
    let isOver = false;
    const known = found?.day.date === wanted ? found.tag : "";
    if (wanted && day.value?.date === date.value) {
      call<Day>(`/days/${wanted}`, known ? { known } : {}).then(({ body, tag, isUnchanged }) => {
        if (!isOver && !isUnchanged) setFound({ day: body, tag });
      }, report);
    }
    return () => { isOver = true; };
  }, [wanted, day.value]);
  return found?.day.date === wanted ? found.day : null;
}

export function StillOut() {
  const yesterday = useYesterday();
  const routes = yesterday?.routes.filter(isUnderWay) ?? [];
  if (!yesterday || !routes.length) return null;
  return (
    <p class="warn">
      {t("stillOut", { count: routes.length })}{" "}
      {routes.slice(0, MOST_NAMED).map((route) => (
        <span key={route.id}><a href={`#/route/${route.id}`}>{route.name}</a>{route.late > 0 && <> (<span class="bad">{t("lateStops", { count: route.late })}</span>)</>} · </span>
      ))}
      <a href={`#/day/${yesterday.date}`}>{sayDate(yesterday.date)}</a>
    </p>
  );
}
