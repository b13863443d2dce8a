// Planning the day: which stops, which vans, what counts; then a proposal that can be applied.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { Refusal, wordsOf } from "../kit/http";
import { decodePolyline } from "../kit/polyline";
import { daysLater, instantOf, sayClock } from "../kit/times";
import { sayWindow, t } from "../kit/words";
import { day, notice, readAll, report, today, usualDeparture, usualEnd } from "./day";
import { closeDialog, Failure, Field, useStart } from "./dialogs";
import { forgetting } from "./edits";
import { sayFix, sayReason } from "./plan_words";
import { RoutesMap, type DrawnRoute } from "./routes_map";
import { sayMinutes, time } from "./route_items";
import { get, getAll, send, zone, type Place } from "./session";
import { sayAddress, unroutedId, type Coordinates, type Plan, type PlanFix, type UnroutedStop, type Vehicle } from "./shapes";
import { sayCost, sayNumber } from "./summaries";

type Aim = "cost" | "vehicles" | "even";
const USUAL = { fixed: 20, perHour: 25, perKilometer: 0.3 };
const DEAR_VEHICLE = 1_000; // above what any detour of a day costs
const WAIT_SECONDS = 2;
const EVEN_PRICE = 50; // of a stop on the fullest route: an hour and a half of detour
const COMPACT_PRICE = 0.3; // of a kilometre from the middle of a route; what driving one costs

interface Request { stops: UnroutedStop[]; vehicles: Vehicle[]; others: number; start: Place; from: string; to: string; aim: Aim; isCompact: boolean; date: string; routes: string[] }

const shiftOn = (date: string, from: string, to: string) => ({
  start: new Date(instantOf(date, from, zone.value)).toISOString(),
  end: new Date(instantOf(to > from ? date : daysLater(date, 1), to, zone.value)).toISOString(),
});

// A vehicle's own hours on a day, of which today what is left of them, or null.
function ownShift({ shift }: Vehicle, date: string): { start: string; end: string } | null {
  if (!shift?.start || !shift.end) return null;
  const [from, to] = [sayClock(shift.start), sayClock(shift.end)];
  const now = usualDeparture(date);
  const begins = date === today() && now > from ? now : from;
  return begins > from && to > from && begins >= to ? null : shiftOn(date, begins, to);
}

function bodyOf(request: Request): Record<string, unknown> {
  const shift = shiftOn(request.date, request.from, request.to);
  const costs = request.aim === "vehicles" ? { costs: { ...USUAL, fixed: DEAR_VEHICLE } } : {};
  const common = { start: request.start, end: request.start, shift, ...costs };
  // What a vehicle says itself counts before what the form says of all.
  const vehicles: Record<string, unknown>[] = request.vehicles.map((vehicle) => ({
    vehicleId: vehicle.id, ...costs, ...(vehicle.start || vehicle.end ? {} : { start: request.start, end: request.start }), shift: ownShift(vehicle, request.date) ?? shift,
  }));
  if (request.others) vehicles.push({ id: request.others > 1 ? "Van" : "Van 1", count: request.others, ...common });
  return {
    ...(request.stops.length ? { stops: request.stops.map(({ importedStopId, storeOrderId }) => (importedStopId ? { importedStopId } : { storeOrderId })) } : {}),
    ...(vehicles.length ? { vehicles } : {}),
    ...(request.routes.length ? { routes: request.routes.map((routeId) => ({ routeId })) } : {}),
    options: {
      ...(request.aim === "even" ? { balance: { by: "STOPS", costPerStop: EVEN_PRICE } } : {}),
      ...(request.isCompact ? { compactness: COMPACT_PRICE } : {}),
      ...(request.routes.length ? { churnCurve: true } : {}),
    },
  };
}

const countBy = (texts: string[]) => texts.reduce((counts, text) => counts.set(text, (counts.get(text) ?? 0) + 1), new Map<string, number>());

// What each stop is called: where several have a name, its address stands behind it, and where they
// have that in common, too, when each is to be served.
function nameApart(stops: UnroutedStop[]): (stop: UnroutedStop) => string {
  const nameOf = (stop: UnroutedStop) => stop.name || t("stop");
  const withAddress = (stop: UnroutedStop) => [nameOf(stop), sayAddress(stop.address)].filter(Boolean).join(" · ");
  const [names, places] = [countBy(stops.map(nameOf)), countBy(stops.map(withAddress))];
  return (stop) => {
    if (names.get(nameOf(stop)) === 1) return nameOf(stop);
    if (places.get(withAddress(stop)) === 1) return withAddress(stop);
    return [withAddress(stop), stop.timeWindows.map(sayWindow).join(", ")].filter(Boolean).join(" · ");
  };
}

const useNames = (stops: UnroutedStop[]) => useMemo(() => nameApart(stops), [stops]);

const isUnderWay = (plan: Plan) => plan.status === "QUEUED" || plan.status === "RUNNING";

export function PlanDialog({ date }: { date: string }) {
  const unrouted = day.value?.unrouted.stops ?? [];
  const tellApart = useNames(unrouted);
  const routes = (day.value?.routes ?? []).filter((route) => route.status !== "COMPLETED" && route.stops.ids.length);
  const routeOf = new Map(routes.flatMap((route) => (route.vehicle ? [[route.vehicle.id, route.name] as const] : []))); // whoever drives one is not free
  const [vehicles, setVehicles] = useState<Vehicle[]>([]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [stops, setStops] = useState<ReadonlySet<string>>(new Set(unrouted.map(unroutedId)));
  const [others, setOthers] = useState(0);
  const [hasVehicles, setHasVehicles] = useState(false); // asked for; before, a number typed would meet the one proposed
  const [start, setStart, readStart, field] = useStart();
  const [from, setFrom] = useState(() => usualDeparture(date));
  const [to, setTo] = useState(() => usualEnd(usualDeparture(date)));
  const [aim, setAim] = useState<Aim>("cost");
  const [isCompact, setCompact] = useState(false);
  const [again, setAgain] = useState(false);
  const [plan, setPlan] = useState<Plan | null>(null);
  const [before, setBefore] = useState(""); // what the plan costs that this one is based on
  const [trouble, setTrouble] = useState("");
  const [isBusy, setBusy] = useState(false);
  const asked = useRef("");

  useEffect(() => {
    getAll<Vehicle>("/vehicles", "vehicles").then((found) => {
      const usable = found.filter((one) => !one.isArchived);
      setVehicles(usable);
      const free = usable.filter((one) => !routeOf.has(one.id));
      setChosen(new Set(free.map((one) => one.id)));
      if (!usable.length) setOthers(2); // a fleet on the road has no vans that nobody knows of
      setHasVehicles(true);
    }, report);
    return () => { asked.current = ""; };
  }, []);

  const show = (error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    setTrouble(wordsOf(error));
  };

  // Look at the plan until it is over; an answer that comes after another was asked for is old.
  async function search(body: Record<string, unknown>): Promise<void> {
    setTrouble("");
    setBusy(true);
    try {
      let found = await send<Plan>("POST", "/plans", body);
      asked.current = found.id;
      setPlan(found);
      while (asked.current === found.id && isUnderWay(found)) {
        await new Promise((resolve) => { setTimeout(resolve, found.status === "QUEUED" ? 150 : 500); });
        found = await look(found);
        if (asked.current === found.id) setPlan(found);
      }
      if (found.status === "FAILED") setTrouble(t("planFailed", { message: found.error?.message ?? "" }));
    } catch (error) {
      setPlan((before) => (before && isUnderWay(before) ? null : before));
      show(error);
    } finally {
      setBusy(false);
    }
  }

  function improve(plan: Plan, body: Record<string, unknown>): void {
    setBefore(sayTotals(plan));
    void search({ basedOn: plan.id, ...body });
  }

  // A server that is away goes on planning, or does when it is back: it is asked again.
  async function look(last: Plan): Promise<Plan> {
    try {
      const found = await get<Plan>(`/plans/${last.id}${last.progress.share > 0 ? "" : `?query.wait=${WAIT_SECONDS}`}`);
      setTrouble("");
      return found;
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "away") throw error;
      show(error);
      return last;
    }
  }

  function submit(event: Event): void {
    event.preventDefault();
    const place = readStart();
    if (!place) return setTrouble(t("badPlace"));
    void search(bodyOf({ stops: unrouted.filter((stop) => stops.has(unroutedId(stop))), vehicles: vehicles.filter((one) => chosen.has(one.id)), others, start: place, from, to, aim, isCompact, date, routes: again ? routes.map((route) => route.id) : [] }));
  }

  async function apply(): Promise<void> {
    if (!plan) return;
    setBusy(true);
    try {
      const { routes: made } = await forgetting(send<{ routes: unknown[] }>("POST", `/plans/${plan.id}/apply`));
      closeDialog();
      notice.value = t("applied", { count: made.length });
      await readAll();
    } catch (error) {
      show(error);
    } finally {
      setBusy(false);
    }
  }

  function discard(): void {
    closeDialog();
    if (plan) void send("DELETE", `/plans/${plan.id}`).catch(report);
  }

  const isRunning = !!plan && isUnderWay(plan);
  const isFound = plan?.status === "COMPLETED" || plan?.status === "CANCELLED";
  const flip = (set: ReadonlySet<string>, id: string) => { const copy = new Set(set); if (!copy.delete(id)) copy.add(id); return copy; };
  return (
    <Dialog title={t("planTheDay")} close={isRunning ? () => undefined : discard} wide>
      <Failure words={trouble} />
      {!isRunning && !isFound && (
        <form onSubmit={submit} class="plan-form">
          <fieldset class="checks"><legend>{t("stops")}</legend>
            <label><input type="checkbox" checked={stops.size === unrouted.length && unrouted.length > 0} onChange={(event) => setStops(new Set(event.currentTarget.checked ? unrouted.map(unroutedId) : []))} />{t("chooseStops", { count: unrouted.length })}</label>
            {routes.length > 0 && <label><input type="checkbox" checked={again} onChange={(event) => setAgain(event.currentTarget.checked)} />{t("replanRoutes")} ({routes.length})</label>}
            <div class="scroll">{unrouted.map((stop) => (
              <label key={unroutedId(stop)}><input type="checkbox" checked={stops.has(unroutedId(stop))} onChange={() => setStops(flip(stops, unroutedId(stop)))} />{tellApart(stop)}</label>
            ))}</div>
          </fieldset>
          <fieldset class="checks"><legend>{t("vehicles")}</legend>
            <div class="scroll">{vehicles.map((one) => (
              <label key={one.id}><input type="checkbox" aria-label={one.name} checked={chosen.has(one.id)} onChange={() => setChosen(flip(chosen, one.id))} /><span>{one.name}<small> {[one.shift ? sayWindow(one.shift) : "", routeOf.get(one.id) ?? ""].filter(Boolean).join(" · ")}</small></span></label>
            ))}</div>
            <Field label={t("vansWithoutName")}><input type="number" min="0" max="200" value={others} disabled={!hasVehicles} onInput={(event) => setOthers(Number(event.currentTarget.value) || 0)} /></Field>
            <Field label={t("start")}><input ref={field} required value={start} onInput={(event) => setStart(event.currentTarget.value)} /></Field>
            <div class="pair">
              <Field label={t("from")}><input type="time" required value={from} onInput={(event) => setFrom(event.currentTarget.value)} /></Field>
              <Field label={t("to")}><input type="time" required value={to} onInput={(event) => setTo(event.currentTarget.value)} /></Field>
            </div>
          </fieldset>
          <fieldset class="checks"><legend>{t("aim")}</legend><div role="radiogroup" aria-label={t("aim")}>
            {([["cost", t("leastCost")], ["vehicles", t("fewestVehicles")], ["even", t("even")]] as const).map(([key, name]) => (
              <label key={key}><input type="radio" name="aim" aria-label={name} checked={aim === key} onChange={() => setAim(key)} /><span>{name}{key === "even" && <small> {t("evenWords")}</small>}</span></label>
            ))}</div>
            <label><input type="checkbox" aria-label={t("compact")} checked={isCompact} onChange={(event) => setCompact(event.currentTarget.checked)} /><span>{t("compact")}<small> {t("compactWords")}</small></span></label>
          </fieldset>
          <div class="buttons">
            <button type="button" onClick={discard}>{t("close")}</button>
            <button type="submit" class="main" disabled={isBusy || !(stops.size || again) || !(chosen.size + others || again)}>{t("plan")}</button>
          </div>
        </form>
      )}
      {isRunning && (
        <div class="running">
          <progress aria-label={t("planning")} max={1} value={plan.progress.share} />
          <p role="status">{t("bestSoFar", { vans: t("vanCount", { count: plan.progress.vehiclesUsed }), out: plan.progress.unassigned })}</p>
          <div class="buttons"><button type="button" onClick={() => void send<Plan>("POST", `/plans/${plan.id}/cancel`).catch(show)}>{t("cancel")}</button></div>
        </div>
      )}
      {isFound && plan && <>
        <Proposal plan={plan} before={before} mend={(fix) => improve(plan, { fixes: [fix.index] })}
          moveFewer={(most) => improve(plan, { options: { ...plan.options, maxMovedStops: most } })} />
        <div class="buttons">
          <button type="button" disabled={isBusy} onClick={discard}>{t("discard")}</button>
          <button type="button" class="main" disabled={isBusy} onClick={() => void apply()}>{t("apply")}</button>
        </div>
      </>}
    </Dialog>
  );
}

/** Where each stop of the day is, by the id that steps of a plan name it by. */
function usePlaces(): ReadonlyMap<string, Coordinates> {
  return useMemo(() => new Map([
    ...(day.value?.unrouted.stops ?? []).filter((stop) => stop.latitude !== undefined).map((stop): [string, Coordinates] => [unroutedId(stop), { latitude: stop.latitude!, longitude: stop.longitude! }]),
    ...(day.value?.routes ?? []).flatMap(({ stops }) => stops.ids.map((id, index): [string, Coordinates] => [id, { latitude: stops.latitudes[index]!, longitude: stops.longitudes[index]! }])),
  ]), [day.value]);
}

// Routes of the day keep their colours; new ones have those of the next routes made, in this order.
function colorsOf(routes: Plan["routes"]): string[] {
  const { routes: present = [], nextColors = [] } = day.value ?? {};
  let made = 0;
  return routes.map(({ routeId }) => present.find((one) => one.id === routeId)?.color ?? nextColors[made++ % nextColors.length]!);
}

function drawRoute(route: Plan["routes"][number], color: string, places: ReadonlyMap<string, Coordinates>): DrawnRoute {
  const stops = route.steps.map((step) => places.get(step.routeStopId || unroutedId(step))).filter((place) => place !== undefined);
  const line = route.polyline === undefined ? stops : decodePolyline(route.polyline);
  return {
    key: route.vehicle, stops, line, ends: line === stops ? [] : [line[0] ?? [], line.at(-1) ?? []].flat(), color,
  };
}

function MovedCurve({ plan, moveFewer }: { plan: Plan; moveFewer: (most: number) => void }) {
  // Where more may move and no more do, nothing is gained by saying so.
  const curve = (plan.statistics?.churnCurve ?? []).filter((point, number, all) => point.movedStops !== all[number - 1]?.movedStops);
  if (curve.length < 2) return null;
  return (
    <section aria-label={t("movedCurve")}>
      <h4>{t("movedCurve")}</h4>
      <ul class="plain">{curve.map((point, number) => {
        const words = t("movedPoint", { count: point.movedStops, cost: sayCost(point.cost) });
        const isThis = number === curve.length - 1;
        return <li key={point.maxMovedStops}>{isThis ? `${words} (${t("thisPlan")})` : <button type="button" class="quiet" onClick={() => moveFewer(point.maxMovedStops)}>{words}</button>}</li>;
      })}</ul>
    </section>
  );
}

// By which two proposals are compared: what a stop costs that is left out is no money.
function sayTotals({ routes, unassigned, statistics }: Plan): string {
  const minutes = routes.reduce((all, { departure, end }) => all + (Date.parse(end) - Date.parse(departure)) / 60_000, 0);
  return [
    t("bestSoFar", { vans: t("vanCount", { count: routes.length }), out: unassigned.length }), sayMinutes(Math.round(minutes)),
    t("kilometers", { count: sayNumber(routes.reduce((all, route) => all + route.totalDistanceMeters, 0) / 1000) }), statistics ? sayCost(statistics.cost - statistics.costs.unassigned) : "",
  ].filter(Boolean).join(" · ");
}

function Proposal({ plan, before, mend, moveFewer }: { plan: Plan; before: string; mend: (fix: PlanFix) => void; moveFewer: (most: number) => void }) {
  const unrouted = day.value?.unrouted.stops ?? [];
  const tellApart = useNames(unrouted);
  const names = new Map([
    ...(day.value?.routes ?? []).flatMap(({ stops }) => stops.ids.map((id, index) => [id, stops.names[index] || t("stop")] as const)),
    ...unrouted.map((stop) => [unroutedId(stop), tellApart(stop)] as const),
  ]);
  const routeNames = new Map((day.value?.routes ?? []).map((route) => [route.id, route.name]));
  const [vehicles, setVehicles] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => { getAll<Vehicle>("/vehicles", "vehicles").then((found) => setVehicles(new Map(found.map((one) => [one.id, one.name]))), report); }, []);
  const vehicleNames = new Map(plan.routes.map((route) => [route.vehicle, vehicles.get(route.vehicleId) ?? route.vehicle]));
  const nameOfSubject = (subject: string) => names.get(subject) ?? vehicleNames.get(subject) ?? vehicles.get(subject) ?? subject;
  const nameOf = (route: Plan["routes"][number]) => routeNames.get(route.routeId) ?? vehicles.get(route.vehicleId) ?? route.vehicle;
  const [chosen, setChosen] = useState("");
  const places = usePlaces();
  const drawn = useMemo(() => {
    const colors = colorsOf(plan.routes);
    return plan.routes.map((route, number) => drawRoute(route, colors[number]!, places));
  }, [plan.routes, places]);
  const loose = useMemo(() => plan.unassigned.map((out) => places.get(unroutedId(out) || out.routeStopId)).filter((place) => place !== undefined), [plan.unassigned, places]);
  return (
    <section aria-label={t("proposal")} class="proposal">
      <h3>{t("proposal")}</h3>
      <RoutesMap name={t("proposalOnMap")} routes={drawn} loose={loose} chosen={chosen} />
      {plan.statistics?.estimated && <p class="warn">{t("estimate")}</p>}
      <table class="figures">
        <thead><tr><th>{t("vehicles")}</th><th>{t("stops")}</th><th>{t("from")}</th><th>{t("to")}</th><th>km</th></tr></thead>
        <tbody>{plan.routes.map((route, number) => (
          <tr key={route.vehicle}>
            <td><button type="button" class="quiet" aria-pressed={chosen === route.vehicle} onClick={() => setChosen(chosen === route.vehicle ? "" : route.vehicle)}><span class="swatch" style={{ background: drawn[number]!.color }} />{nameOf(route)}</button></td><td>{route.steps.filter((step) => step.type === "STOP").length}</td>
            <td>{time(route.departure)}</td><td>{time(route.end)}</td><td>{sayNumber(route.totalDistanceMeters / 1000)}</td></tr>
        ))}</tbody>
      </table>
      <p><b>{sayTotals(plan)}</b>{before && <><br /><span class="soft">{t("planBefore", { totals: before })}</span></>}</p>
      <MovedCurve plan={plan} moveFewer={moveFewer} />
      <p><b>{plan.unassigned.length ? t("unplannedStops", { count: plan.unassigned.length }) : t("everyStopPlanned")}</b></p>
      <ul class="plain">{plan.unassigned.map((out) => (
        <li key={unroutedId(out) || out.routeStopId}>
          {[names.get(unroutedId(out) || out.routeStopId) ?? (out.clientStopId || t("stop")), [...new Set(out.reasons.map((reason) => sayReason(reason, unroutedId(out) || out.routeStopId, nameOfSubject)))].join("; ")].filter(Boolean).join(": ")}
          <span class="fixes">{out.fixes.map((fix) => <button key={fix.index} type="button" class="quiet" onClick={() => mend(fix)}>{sayFix(fix, nameOfSubject)}</button>)}</span>
        </li>
      ))}</ul>
    </section>
  );
}
