// A vehicle, new or known: what it is called, what it carries, what it can do, and when it drives.
import { useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { secondsOf } from "../kit/times";
import { locale, t } from "../kit/words";
import { closeDialog, Failure, Field, useSubmit } from "./dialogs";
import { clockOf, replaced, timeOf, without } from "./form_rows";
import { NamesField } from "./names_field";
import { send } from "./session";
import type { Vehicle } from "./shapes";

const KILOGRAMS = "kilograms"; // the load of which the service knows how much items come to
const CHANGED = "name,license,capacities,skills,shift,breaks";
const MOST_LOADS = 8;
const MOST_BREAKS = 3;

export function sayLoad(name: string, amount: number): string {
  if (name !== KILOGRAMS) return `${name} ${amount.toLocaleString(locale.value)}`;
  return new Intl.NumberFormat(locale.value, { style: "unit", unit: "kilogram" }).format(amount);
}

interface Load { name: string; amount: string }
interface Pause { from: string; to: string; minutes: string }
interface Given { name: string; license: string; kilograms: string; loads: Load[]; skills: string[]; from: string; to: string; pauses: Pause[] }

function givenOf(vehicle: Vehicle | undefined): Given {
  const { [KILOGRAMS]: kilograms, ...others } = vehicle?.capacities ?? {};
  return {
    name: vehicle?.name ?? "", license: vehicle?.license ?? "", kilograms: kilograms === undefined ? "" : String(kilograms),
    loads: Object.entries(others).map(([name, amount]) => ({ name, amount: String(amount) })), skills: vehicle?.skills ?? [],
    from: clockOf(vehicle?.shift?.start), to: clockOf(vehicle?.shift?.end),
    pauses: (vehicle?.breaks ?? []).map(({ timeWindow, duration }) => ({ from: clockOf(timeWindow.start), to: clockOf(timeWindow.end), minutes: String(secondsOf(duration) / 60) })),
  };
}

// What is left empty is left out: the service then keeps nothing of it.
function bodyOf({ name, license, kilograms, loads, skills, from, to, pauses }: Given, vehicle: Vehicle | undefined) {
  const capacities = Object.fromEntries([...(kilograms ? [[KILOGRAMS, Number(kilograms)]] : []), ...loads.map((one) => [one.name.trim(), Number(one.amount)])]) as Record<string, number>;
  return {
    name, license, skills,
    ...(Object.keys(capacities).length ? { capacities } : {}),
    ...(from && to ? { shift: { ...vehicle?.shift, start: timeOf(from), end: timeOf(to) } } : {}),
    breaks: pauses.map((one) => ({ timeWindow: { start: timeOf(one.from), end: timeOf(one.to) }, duration: `${Number(one.minutes) * 60}s` })),
  };
}

export function VehicleDialog({ vehicle, changed }: { vehicle?: Vehicle; changed: () => void }) {
  const [given, setGiven] = useState(() => givenOf(vehicle));
  const set = (part: Partial<Given>) => { setGiven({ ...given, ...part }); };
  const [submit, trouble, isBusy] = useSubmit(async (close) => {
    const body = bodyOf(given, vehicle);
    await (vehicle ? send("PATCH", `/vehicles/${vehicle.id}`, { vehicle: body, updateMask: CHANGED }) : send("POST", "/vehicles", body));
    close();
    changed();
  });
  return (
    <Dialog title={vehicle ? t("editVehicle") : t("newVehicle")} close={closeDialog}>
      <form onSubmit={submit}>
        <Failure words={trouble} />
        <Field label={t("name")}><input required value={given.name} onInput={(event) => { set({ name: event.currentTarget.value }); }} /></Field>
        <Field label={t("license")}><input value={given.license} onInput={(event) => { set({ license: event.currentTarget.value }); }} /></Field>
        <Field label={`${t("capacity")} (kg)`}><input type="number" min="0" step="any" value={given.kilograms} onInput={(event) => { set({ kilograms: event.currentTarget.value }); }} /></Field>
        <Loads loads={given.loads} change={(loads) => { set({ loads }); }} />
        <NamesField label={t("skills")} names={given.skills} placeholder={t("skillsExample")} change={(skills) => { set({ skills }); }} />
        <fieldset class="rules">
          <legend>{t("shift")}</legend>
          <div class="pair">
            <Field label={t("from")}><input type="time" required={!!given.to} value={given.from} onInput={(event) => { set({ from: event.currentTarget.value }); }} /></Field>
            <Field label={t("to")}><input type="time" required={!!given.from} value={given.to} onInput={(event) => { set({ to: event.currentTarget.value }); }} /></Field>
          </div>
          <p class="soft">{t("shiftHint")}</p>
        </fieldset>
        <Pauses pauses={given.pauses} change={(pauses) => { set({ pauses }); }} />
        <div class="buttons">
          <button type="button" onClick={closeDialog}>{t("cancel")}</button>
          <button type="submit" class="main" disabled={isBusy}>{vehicle ? t("save") : t("addVehicle")}</button>
        </div>
      </form>
    </Dialog>
  );
}

function Loads({ loads, change }: { loads: Load[]; change: (loads: Load[]) => void }) {
  return (
    <fieldset class="rules">
      <legend>{t("otherCapacities")}</legend>
      {loads.map((one, at) => (
        <div key={at} class="row-fields">
          <Field label={t("load")}><input required maxLength={50} placeholder={t("loadExample")} value={one.name} onInput={(event) => { change(replaced(loads, at, { name: event.currentTarget.value })); }} /></Field>
          <Field label={t("amount")}><input type="number" required min="0" step="any" value={one.amount} onInput={(event) => { change(replaced(loads, at, { amount: event.currentTarget.value })); }} /></Field>
          <button type="button" class="quiet danger" aria-label={t("takeOut", { name: one.name })} onClick={() => { change(without(loads, at)); }}>✕</button>
        </div>
      ))}
      {loads.length < MOST_LOADS - 1 && <button type="button" class="quiet" onClick={() => { change([...loads, { name: "", amount: "" }]); }}>{t("addCapacity")}</button>}
    </fieldset>
  );
}

function Pauses({ pauses, change }: { pauses: Pause[]; change: (pauses: Pause[]) => void }) {
  return (
    <fieldset class="rules">
      <legend>{t("breaks")}</legend>
      {pauses.length > 0 && <p class="soft">{t("breaksHint")}</p>}
      {pauses.map((one, at) => (
        <div key={at} class="row-fields">
          <Field label={t("from")}><input type="time" required value={one.from} onInput={(event) => { change(replaced(pauses, at, { from: event.currentTarget.value })); }} /></Field>
          <Field label={t("to")}><input type="time" required value={one.to} onInput={(event) => { change(replaced(pauses, at, { to: event.currentTarget.value })); }} /></Field>
          <Field label={t("minutes")}><input type="number" required min="1" max="1440" step="any" value={one.minutes} onInput={(event) => { change(replaced(pauses, at, { minutes: event.currentTarget.value })); }} /></Field>
          <button type="button" class="quiet danger" aria-label={t("takeOut", { name: `${one.from}–${one.to}` })} onClick={() => { change(without(pauses, at)); }}>✕</button>
        </div>
      ))}
      {pauses.length < MOST_BREAKS && <button type="button" class="quiet" onClick={() => { change([...pauses, { from: "12:00", to: "13:00", minutes: "30" }]); }}>{t("addBreak")}</button>}
    </fieldset>
  );
}
