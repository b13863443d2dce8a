// A route or a stop that a planner took away while the driver was at it.
import { useRef } from "preact/hooks";
import { drafts, isOffline, isRouteGone } from "./app";
import type { Task } from "./shapes";
import { t } from "./words";

export const LEFT_WITH = [["RECIPIENT", "recipient"], ["NEIGHBOUR", "neighbour"], ["RECEPTION", "reception"], ["SAFE_PLACE", "safePlace"], ["OTHER", "other"]] as const;

// What was last known of something that may go while it is on the screen.
export function useLast<Value>(value: Value | null | undefined): Value | null {
  const last = useRef<Value | null>(null);
  if (value) last.current = value;
  return last.current;
}

// In the place of a route that is not there: it is gone, or not loaded yet.
export function NoRoute({ id }: { id: string }) {
  if (!isRouteGone(id)) return <p>{t(isOffline.value ? "notLoaded" : "loading")}</p>;
  return <><p class="alert">{t("routeGone")}</p><a class="button" href="#/routes">{t("routes")}</a></>;
}

// What was typed at a stop that nothing can be recorded at any more.
export function Unsent({ stopId, tasks }: { stopId: string; tasks: Task[] }) {
  const { note = "", code = "", recipientName = "", leftWith = "", tasks: texts = {} } = drafts.value[stopId] ?? {};
  const place = LEFT_WITH.find(([value]) => value === leftWith);
  const inTasks = Object.entries(texts).map(([id, text]) => [tasks.find((task) => task.id === id)?.title || t("tasks"), text]);
  const typed = [[t("note"), note], [t("leftWith"), place ? t(place[1]) : ""], [t("recipientName"), recipientName], [t("code"), code], ...inTasks].filter(([, words]) => words?.trim());
  if (typed.length === 0) return null;
  return (
    <div class="note">
      <b>{t("notSent")}</b>
      {typed.map(([label, words], index) => <p key={index}>{label}: {words}</p>)}
    </div>
  );
}
