// What is said of a stop, typed: of one that is there, or of one that somebody has just asked for.
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { isUnanswered, newKey, type Refusal } from "../kit/http";
import { phoneOf } from "../kit/phones";
import { secondsOf, type TimeWindow } from "../kit/times";
import { t } from "../kit/words";
import { CheckedField, type Troubles } from "./checked_field";
import { date, notice, trouble as pageTrouble } from "./day";
import { closeDialog, Failure, Field, useSubmit } from "./dialogs";
import { clockOf, timeOf, without } from "./form_rows";
import { sayIssue, type Issue } from "./issues";
import { readPlace } from "./place";
import { isDispatched } from "./route_items";
import { dayOf, nameOfStop, type CalendarDay, type Contact, type ImportedStop, type Route, type RouteStop } from "./shapes";
import { addStop, differing, tellImportedStop, tellRouteStop, type Told } from "./stop_edits";
import { sayDate } from "./summaries";

const MOST_WINDOWS = 20;
const CONTACT = ["firstName", "lastName", "company", "phone", "email"] as const;

type Draft = Contact & { place: string; day: string; orderName: string; note: string; minutes: string; priority: string; windows: TimeWindow[] };

function draftOf(told: Told, day = ""): Draft {
  const { firstName = "", lastName = "", company = "", phone = "", email = "" } = told.contact ?? {};
  return {
    firstName, lastName, company, phone, email, place: "", day, orderName: told.orderName ?? "", note: told.note ?? "",
    minutes: told.duration ? String(secondsOf(told.duration) / 60) : "", priority: String(told.priority ?? 0), windows: told.timeWindows ?? [],
  };
}

function calendarDay(day: string): CalendarDay | undefined {
  const [year, month, date] = day.split("-").map(Number);
  return year && month && date ? { year, month, day: date } : undefined;
}

function contactOf(draft: Draft): Contact | undefined {
  const { firstName, lastName, company, email } = draft;
  const contact = { firstName: firstName.trim(), lastName: lastName.trim(), company: company.trim(), phone: phoneOf(draft.phone), email: email.trim() };
  return Object.values(contact).some(Boolean) ? contact : undefined;
}

// What nobody has touched stays as it is, to the second.
function toldBy(draft: Draft, first: Draft, known: Told): Told {
  const isTouched = (...names: (keyof Draft)[]) => names.some((name) => draft[name] !== first[name]);
  return {
    orderName: draft.orderName.trim(), note: draft.note, priority: Number(draft.priority), timeWindows: draft.windows,
    contact: isTouched(...CONTACT) ? contactOf(draft) : known.contact,
    duration: isTouched("minutes") ? (draft.minutes ? `${Math.round(Number(draft.minutes) * 60)}s` : undefined) : known.duration,
    deliveryDate: isTouched("day") ? calendarDay(draft.day) : known.deliveryDate,
  };
}

// Which field of the form a field of the request is.
const FIELDS: [RegExp, keyof Draft][] = [
  [/\bphone$/, "phone"], [/\bemail$/, "email"], [/\bfirstName$/, "firstName"], [/\blastName$/, "lastName"], [/\bcompany$/, "company"],
  [/\btimeWindows\b/, "windows"], [/\bduration$/, "minutes"], [/\bpriority$/, "priority"], [/\bnote$/, "note"], [/\borderName$/, "orderName"],
  [/\bdeliveryDate\b/, "day"], [/\baddress\b|\bcoordinates\b/, "place"],
];
// Which the server says without a type.
const OWN_WORDS = { phone: "phoneForm", email: "foundNoEmail" } as const;

// What the server refused, by the fields of the form; null where something of it is about none of them.
function troublesOf({ violations }: Refusal): Troubles | null {
  const said = violations.map((one): [string, string] => {
    const name = FIELDS.find(([pattern]) => pattern.test(one.field ?? ""))?.[1] ?? "";
    return [name, name === "phone" || name === "email" ? t(OWN_WORDS[name]) : sayIssue(one as Issue, one.description)];
  });
  return said.length && said.every(([name]) => name) ? Object.fromEntries(said) : null;
}

interface FormProps {
  title: string; button: string; first: Draft; isPlaced?: boolean; isDated?: boolean;
  dispatched?: string; // the name of the route whose driver sees it at once
  save: (draft: Draft) => Promise<Refusal | null>;
}

function StopForm({ title, button, first, isPlaced = false, isDated = false, dispatched = "", save }: FormProps) {
  const [draft, setDraft] = useState(first);
  const [troubles, setTroubles] = useState<Troubles>({});
  const [failure, setFailure] = useState("");
  const [isSent, setSent] = useState(false); // and not known to be made: it is sent again as it was
  const isGone = useRef(false);
  useEffect(() => () => { isGone.current = true; }, []);
  const [submit, , isBusy] = useSubmit(async (close) => {
    setTroubles({});
    setFailure("");
    if (isPlaced && !readPlace(draft.place)) return setTroubles({ place: t("badPlace") });
    const refusal = await save(draft);
    if (isGone.current) return; // what was refused stands on the page, and another dialog may be open
    if (!refusal) return close();
    const isUnknown = isPlaced && isUnanswered(refusal);
    setSent(isUnknown);
    // Said here, beside what was typed, and not on the page behind.
    const found = troublesOf(refusal);
    if (found) setTroubles(found);
    else setFailure([pageTrouble.value, isUnknown ? t("addStopAgain", { button }) : ""].filter(Boolean).join(" "));
    pageTrouble.value = "";
  });
  const form = useRef<HTMLFormElement>(null);
  // On a phone it may be far above the button.
  useEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    wrong?.focus();
    (wrong ?? form.current?.querySelector('[role="alert"]'))?.scrollIntoView({ block: "center" });
  }, [troubles, failure]);
  const typed = (name: Exclude<keyof Draft, "windows">) => ({ value: draft[name], onInput: (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => { setDraft({ ...draft, [name]: event.currentTarget.value }); } });
  return (
    <Dialog title={title} close={closeDialog}>
      <form ref={form} onSubmit={submit}>
        <Failure words={failure} />
        {dispatched && <p class="warn">{t("moveDispatchedWords", { name: dispatched })}</p>}
        <fieldset class="bare" disabled={isSent}>
          {isPlaced && <CheckedField name="place" label={t("addressOrCoordinates")} troubles={troubles}>{(said) => <input {...said} required autocomplete="off" {...typed("place")} />}</CheckedField>}
          {isDated && <CheckedField name="day" label={t("shopDay")} troubles={troubles}>{(said) => <input {...said} type="date" required={isPlaced} {...typed("day")} />}</CheckedField>}
          <CheckedField name="orderName" label={t("shopOrder")} troubles={troubles}>{(said) => <input {...said} autocomplete="off" {...typed("orderName")} />}</CheckedField>
          <div class="pair">
            <CheckedField name="firstName" label={t("firstName")} troubles={troubles}>{(said) => <input {...said} autocomplete="off" {...typed("firstName")} />}</CheckedField>
            <CheckedField name="lastName" label={t("lastName")} troubles={troubles}>{(said) => <input {...said} autocomplete="off" {...typed("lastName")} />}</CheckedField>
          </div>
          <CheckedField name="company" label={t("company")} troubles={troubles}>{(said) => <input {...said} autocomplete="off" {...typed("company")} />}</CheckedField>
          <div class="pair">
            <CheckedField name="phone" label={t("phone")} troubles={troubles}>{(said) => <input {...said} type="tel" autocomplete="off" {...typed("phone")} />}</CheckedField>
            <CheckedField name="email" label={t("email")} troubles={troubles}>{(said) => <input {...said} type="email" autocomplete="off" {...typed("email")} />}</CheckedField>
          </div>
          <CheckedField name="note" label={t("note")} troubles={troubles}>{(said) => <textarea {...said} rows={3} {...typed("note")} />}</CheckedField>
          <div class="pair">
            <CheckedField name="minutes" label={t("ruleMinutes")} troubles={troubles}>{(said) => <input {...said} type="number" min="0" step="any" {...typed("minutes")} />}</CheckedField>
            <CheckedField name="priority" label={t("priority")} troubles={troubles} hint={t("priorityHint")}>{(said) => <input {...said} type="number" min="0" max="1000000" {...typed("priority")} />}</CheckedField>
          </div>
          <Windows windows={draft.windows} trouble={troubles["windows"]} change={(windows) => { setDraft({ ...draft, windows }); }} />
        </fieldset>
        <div class="buttons">
          <button type="button" onClick={closeDialog}>{t("cancel")}</button>
          <button type="submit" class="main" disabled={isBusy}>{button}</button>
        </div>
      </form>
    </Dialog>
  );
}

// One may be open at either end.
function Windows({ windows, trouble, change }: { windows: TimeWindow[]; trouble: string | undefined; change: (windows: TimeWindow[]) => void }) {
  const set = (at: number, end: keyof TimeWindow, clock: string) => {
    const { [end]: _, ...other } = windows[at]!;
    change(windows.map((one, index) => (index === at ? { ...other, ...(clock ? { [end]: timeOf(clock) } : {}) } : one)));
  };
  return (
    <fieldset class="rules">
      <legend>{t("window")}</legend>
      {windows.map((one, at) => (
        <div key={at} class="row-fields">
          <Field label={t("from")}><input type="time" required={!one.end} value={clockOf(one.start)} onInput={(event) => { set(at, "start", event.currentTarget.value); }} /></Field>
          <Field label={t("to")}><input type="time" required={!one.start} value={clockOf(one.end)} onInput={(event) => { set(at, "end", event.currentTarget.value); }} /></Field>
          <button type="button" class="quiet danger" aria-label={t("takeOut", { name: `${clockOf(one.start)}–${clockOf(one.end)}` })} onClick={() => { change(without(windows, at)); }}>✕</button>
        </div>
      ))}
      {trouble && <p role="alert" class="bad">{t("window")}: {trouble}</p>}
      {windows.length < MOST_WINDOWS && <button type="button" class="quiet" onClick={() => { change([...windows, {}]); }}>{t("addWindow")}</button>}
    </fieldset>
  );
}

export function EditRouteStop({ route, stop, name }: { route: Route; stop: RouteStop; name: string }) {
  const [known] = useState(stop); // as it was when it was opened
  const first = draftOf(known);
  const save = async (draft: Draft) => {
    const after = toldBy(draft, first, known);
    return differing(known, after).length ? tellRouteStop(route.id, known, name, after) : null;
  };
  return <StopForm title={t("editStop")} button={t("save")} first={first} dispatched={isDispatched(route) ? route.name : ""} save={save} />;
}

export function EditImportedStop({ stop, name, changed }: { stop: ImportedStop; name: string; changed: () => Promise<unknown> }) {
  const first = draftOf(stop, stop.deliveryDate && dayOf(stop.deliveryDate));
  const save = async (draft: Draft) => {
    const after = toldBy(draft, first, stop);
    return differing(stop, after).length ? tellImportedStop(stop, name, after, changed) : null;
  };
  return <StopForm title={t("editStop")} button={t("save")} first={first} isDated save={save} />;
}

export function NewStop({ day }: { day: string }) {
  const key = useRef(newKey());
  const first = draftOf({}, day);
  const save = async (draft: Draft) => {
    const told = { ...toldBy(draft, first, { deliveryDate: calendarDay(day) }), ...readPlace(draft.place) };
    const name = nameOfStop({ orderName: draft.orderName, contact: draft }) || draft.place;
    const refusal = await addStop(name, told, key.current);
    if (refusal && !isUnanswered(refusal)) key.current = newKey();
    if (!refusal && draft.day !== date.value) notice.value = `${name}: ${sayDate(draft.day)}`;
    return refusal;
  };
  return <StopForm title={t("newStop")} button={t("addStop")} first={first} isPlaced isDated save={save} />;
}
