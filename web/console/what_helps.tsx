// Where stops are late: what would help, each as a button with its effect, once a planner asks.
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../kit/words";
import { notice, report } from "./day";
import { findHelp, type Help } from "./help";
import { lateMinutes } from "./route_items";
import { isViewer } from "./session";
import { isDone, type Route } from "./shapes";

const isLate = (route: Route) => route.stops.some((stop) => !isDone(stop) && lateMinutes(stop) > 0);

// What was found holds of the route as it was then; where only expected times move on, it stays.
const shapeOf = (route: Route) => JSON.stringify([route.id, route.scheduledFor, route.status, route.stops.map((stop) => [stop.id, stop.deliveryStatus, stop.locked, stop.timeWindows])]);

export function WhatHelps({ route }: { route: Route }) {
  const [found, setFound] = useState<Help[] | "asking" | null>(null);
  const asked = useRef(0);
  const close = () => { asked.current += 1; setFound(null); };
  useEffect(() => close, [shapeOf(route)]);
  if (isViewer.value || route.archivedAt || !isLate(route)) return null;
  function open(): void {
    const mine = asked.current += 1;
    const isMine = () => asked.current === mine;
    setFound("asking");
    findHelp(route).then((all) => { if (isMine()) setFound(all); }, (error: unknown) => { if (isMine()) close(); report(error); });
  }
  async function make(help: Help): Promise<void> {
    if (await help.make()) notice.value = `${help.words}: ${help.effect}`;
  }
  return (
    <section class="what-helps" aria-label={t("whatHelps")}>
      <button type="button" aria-expanded={found !== null} onClick={found ? close : open}>{t("whatHelps")}</button>
      <div aria-live="polite">
        {found === "asking" && <p class="soft">{t("lookingForHelp")}</p>}
        {Array.isArray(found) && !found.length && <p>{t("nothingHelps")}</p>}
      </div>
      {Array.isArray(found) && found.length > 0 && (
        <ul class="plain">{found.map((help, number) => (
          <li key={help.words}>
            <button type="button" aria-describedby={`help-${number}`} onClick={() => void make(help)}>{help.words}</button>
            <span id={`help-${number}`} class={help.stillLate ? "warn" : "good"}>{help.effect}</span>
          </li>
        ))}</ul>
      )}
    </section>
  );
}
