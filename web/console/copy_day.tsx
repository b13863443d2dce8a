// Rounds that are driven every week: the routes of another day, made once more on this one.
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { isUnanswered, newKey, Refusal, wordsOf } from "../kit/http";
import { daysLater, sayDay } from "../kit/times";
import { locale, t } from "../kit/words";
import { forgetRoute, notice, readAll, report } from "./day";
import { closeDialog, Failure, Field, useSubmit } from "./dialogs";
import { isAway, isLike, rememberDone, removeAgain } from "./edits";
import { call, get } from "./session";
import { nameOfDriver, type Day, type Route } from "./shapes";

interface CopyWarning { type: string; routeId: string; count: number; message: string }
interface CopiedRoute { id: string; name: string; copiedFrom: string; stopCount: number; etag: string }
interface Copied { routes: CopiedRoute[]; warnings: CopyWarning[] }

const A_WEEK = 7;
const countStops = (day: Day) => day.routes.reduce((sum, route) => sum + route.stops.ids.length, 0);

// What was left out, in words: who drove and which van it was, the day that was copied knows.
function sayWarning({ type, routeId, count, message }: CopyWarning, copied: Copied, source: Day): string {
  const made = copied.routes.find((one) => one.id === routeId);
  const was = source.routes.find((one) => one.id === made?.copiedFrom);
  const route = made?.name ?? "";
  switch (type) {
    case "VEHICLE_LEFT_OUT": return was?.vehicle ? t("copyNoVehicle", { route, vehicle: was.vehicle.name }) : message;
    case "DRIVER_LEFT_OUT": return was?.driver ? t("copyNoDriver", { route, driver: nameOfDriver(was.driver) }) : message;
    case "ORDERS_LEFT_OUT": return t("copyNoOrders", { route, count });
    case "DEPARTURE_ASSUMED": return t("copyDeparture", { route });
    default: return message;
  }
}

// The keys of copies of which nobody knows whether they were made, though the dialog was closed since.
const unanswered = new Map<string, string>();

// Copy, once: what was not answered is sent again under its key, by which the server knows it.
async function copyOnce(date: string, from: string): Promise<Copied> {
  const days = `${date} ${from}`;
  const key = unanswered.get(days) ?? newKey();
  unanswered.set(days, key);
  try {
    const { body } = await call<Copied>(`/days/${date}/copies`, { method: "POST", body: { from }, key });
    unanswered.delete(days);
    return body;
  } catch (error) {
    if (error instanceof Refusal && !isUnanswered(error)) unanswered.delete(days);
    throw error;
  }
}

interface Made { route: CopiedRoute; poolStops?: string[] } // poolStops: what its stops are made of, once that was read

// A route that was made goes again, and its stops with it: without it they would stand on no route.
async function takeAway(made: Made): Promise<void> {
  const { id } = made.route;
  if (!made.poolStops) {
    const { body, tag } = await call<Route>(`/routes/${id}`);
    made.poolStops = body.stops.map((stop) => stop.importedStopId ?? "").filter(Boolean);
    if (isLike(id, tag, made.route.etag)) made.route.etag = tag;
  }
  await removeAgain(`/routes/${id}`, made.route.etag);
  forgetRoute(id);
  for (const stop of made.poolStops) await removeAgain(`/stops/imports/${stop}`);
}

// One that somebody has changed since, or sends out, stays and is said.
async function takeAllAway(routes: Made[]): Promise<void> {
  let refused: unknown;
  for (const made of routes) {
    try {
      await takeAway(made);
    } catch (error) {
      if (!(error instanceof Refusal) || isAway(error) || error.kind === "session") throw error;
      if (error.status !== 404) refused = error;
    }
  }
  if (refused) throw refused;
}

const madeOf = ({ routes }: Copied): Made[] => routes.map((route) => ({ route }));

/** The dialog that copies another day's routes to a day: of the same weekday a week before, unless another is chosen. */
export function CopyDay({ date }: { date: string }) {
  const [from, setFrom] = useState(() => daysLater(date, -A_WEEK));
  const [source, setSource] = useState<Day | null>(null);
  const [unread, setUnread] = useState("");
  const [warnings, setWarnings] = useState<{ said: string; warned: string[] } | null>(null);
  const isOther = from !== "" && from !== date;

  useEffect(() => {
    let isWanted = isOther; // the day that was chosen last is shown, whichever answer comes last
    setSource(null);
    setUnread("");
    if (isWanted) {
      get<Day>(`/days/${from}`).then((found) => { if (isWanted) setSource(found); }, (error: unknown) => {
        if (!(error instanceof Refusal)) report(error);
        else if (isWanted) setUnread(wordsOf(error));
      });
    }
    return () => { isWanted = false; };
  }, [from]);

  const [submit, trouble, isBusy] = useSubmit(async (close) => {
    if (!source) return;
    const copied = await copyOnce(date, from);
    let made = madeOf(copied);
    rememberDone({ make: async () => { made = madeOf(await copyOnce(date, from)); }, takeBack: () => takeAllAway(made) });
    const said = t("routesCopied", { count: copied.routes.length });
    if (copied.warnings.length) setWarnings({ said, warned: copied.warnings.map((one) => sayWarning(one, copied, source)) });
    else close();
    notice.value = said;
    await readAll();
  });

  if (warnings) {
    return (
      <Dialog title={t("copyDay")} close={closeDialog}>
        <p>{warnings.said}</p>
        <ul class="plain">{warnings.warned.map((words) => <li key={words} class="warn">{words}</li>)}</ul>
        <div class="buttons"><button type="button" class="main" onClick={closeDialog}>{t("close")}</button></div>
      </Dialog>
    );
  }
  const count = source?.routes.length ?? 0;
  return (
    <Dialog title={t("copyDay")} close={closeDialog}>
      <form onSubmit={submit}>
        <Failure words={trouble || unread} />
        <Field label={t("copyFrom")}><input type="date" required value={from} aria-describedby="copy-found" onInput={(event) => setFrom(event.currentTarget.value)} /></Field>
        <p id="copy-found" role="status">
          {from && <><strong>{sayDay(from, locale.value)}</strong><br /></>}
          {from === date ? t("copySameDay") : source ? sayFound(source) : isOther && !unread ? t("loading") : ""}
        </p>
        <p class="soft">{t("copyHint")}</p>
        <div class="buttons">
          <button type="button" onClick={closeDialog}>{t("cancel")}</button>
          <button type="submit" class="main" disabled={isBusy || !count}>{t("copyCount", { count })}</button>
        </div>
      </form>
    </Dialog>
  );
}

const sayFound = (source: Day) => (source.routes.length
  ? `${t("routeCount", { count: source.routes.length })} · ${t("stopCount", { count: countStops(source) })}`
  : t("copyNothing"));
