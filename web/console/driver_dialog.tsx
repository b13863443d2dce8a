// A driver: name and phone, the phones they are signed in on, and whether they may drive.
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { phoneOf } from "../kit/phones";
import { locale, t } from "../kit/words";
import { report } from "./day";
import { ask, closeDialog, Failure, Field, useSubmit } from "./dialogs";
import { listKept, type JournalLine } from "./kept_actions";
import { sayWhen } from "./reported";
import { isUnderWay } from "./route_items";
import { get, send } from "./session";
import { nameOfDriver, type Route } from "./shapes";

export interface Driver { id: string; firstName: string; lastName: string; phone: string; email: string; status: string }

const CHANGED = ["firstName", "lastName", "phone", "email"] as const;

export function EditDriver({ driver, changed }: { driver: Driver; changed: () => void }) {
  const [given, setGiven] = useState(driver);
  const field = (name: typeof CHANGED[number]) => ({ value: given[name], onInput: (event: { currentTarget: HTMLInputElement }) => { setGiven({ ...given, [name]: event.currentTarget.value }); } });
  const [submit, trouble, isBusy] = useSubmit(async (close) => {
    const { firstName, lastName, phone, email } = given;
    await send("PATCH", `/drivers/${driver.id}`, { driver: { firstName, lastName, phone: phoneOf(phone), email: email.trim() }, updateMask: CHANGED.join() });
    close();
    changed();
  });
  const [move, refusal, isMoving] = useSubmit(async (close) => {
    await send("POST", `/drivers/${driver.id}/${driver.status === "DEACTIVATED" ? "activate" : "deactivate"}`);
    close();
    changed();
  });
  const [underWay, setUnderWay] = useState<string[]>([]);
  useEffect(() => { namesUnderWay(driver.id).then(setUnderWay, report); }, []);
  const warning = underWay.length ? t("driverUnderWay", { routes: new Intl.ListFormat(locale.value).format(underWay) }) : "";
  async function archive() {
    const question = [warning, t("driverArchiveQuestion", { name: nameOfDriver(driver) })].filter(Boolean).join(" ");
    if (await ask(t("archive"), t("archive"), question)) await send("POST", `/drivers/${driver.id}/archive`).then(changed, report);
  }
  return (
    <Dialog title={t("editDriver")} close={closeDialog}>
      <form onSubmit={submit}>
        <Failure words={trouble || refusal} />
        <Field label={t("firstName")}><input required {...field("firstName")} /></Field>
        <Field label={t("lastName")}><input {...field("lastName")} /></Field>
        <Field label={t("phone")}><input type="tel" {...field("phone")} /></Field>
        <Field label={t("email")}><input type="email" autocomplete="off" {...field("email")} /></Field>
        <h3>{t("devices")}</h3>
        <Devices driverId={driver.id} />
        <Journal driverId={driver.id} />
        {driver.status !== "PENDING" && <p class="soft">{t(driver.status === "DEACTIVATED" ? "driverActivateHint" : "driverDeactivateHint")}</p>}
        {warning && <p class="warn">{warning}</p>}
        <p class="verbs">
          {driver.status !== "PENDING" && <button type="button" disabled={isMoving} onClick={move}>{driver.status === "DEACTIVATED" ? t("activate") : t("deactivate")}</button>}
          <button type="button" class="danger" onClick={() => { void archive(); }}>{t("archive")}</button>
        </p>
        <div class="buttons">
          <button type="button" onClick={closeDialog}>{t("cancel")}</button>
          <button type="submit" class="main" disabled={isBusy}>{t("save")}</button>
        </div>
      </form>
    </Dialog>
  );
}

// Of those that are not over, the newest: whoever is put away may have driven hundreds that are.
async function namesUnderWay(driverId: string): Promise<string[]> {
  const pages = await Promise.all(["STARTED", "READY", "UNSTARTED"].map((status) =>
    get<{ routes: Route[] }>(`/routes?query.driverId=${driverId}&query.status=${status}&query.limit=50`)));
  return pages.flatMap(({ routes }) => routes).filter(isUnderWay).map(({ name }) => name);
}

interface Device { id: string; device: string; createdAt: string }

// A lost phone is signed out alone; the driver goes on with another one.
function Devices({ driverId }: { driverId: string }) {
  const [devices, setDevices] = useState<Device[] | null>(null);
  const read = () => get<{ sessions: Device[] }>(`/drivers/${driverId}/sessions`).then(({ sessions }) => { setDevices(sessions); }, report);
  useEffect(() => { void read(); }, []);
  const signOut = (one: Device) => { void send("DELETE", `/drivers/${driverId}/sessions/${one.id}`).then(read, report); };
  if (!devices) return <p role="status" class="soft">{t("loading")}</p>;
  if (!devices.length) return <p class="soft">{t("noDevices")}</p>;
  return (
    <ul class="plain cases" aria-label={t("devices")}>{devices.map((one) => (
      <li key={one.id}>
        <div id={`device-${one.id}`}>{one.device || t("someDevice")} <small class="soft">{t("since", { time: sayWhen(one.createdAt) })}</small></div>
        <button type="button" class="quiet danger" aria-describedby={`device-${one.id}`} onClick={() => { signOut(one); }}>{t("signOut")}</button>
      </li>
    ))}</ul>
  );
}

// What the driver's phone has sent and changed nothing yet, or for good.
function Journal({ driverId }: { driverId: string }) {
  const [lines, setLines] = useState<JournalLine[]>([]);
  useEffect(() => { listKept(false, driverId).then(setLines, report); }, []);
  if (!lines.length) return null;
  const waiting = lines.filter(({ reason }) => reason === "WAITING").length;
  return <p>{t("journalCount", { waiting, kept: lines.length - waiting })} <a href="#/exceptions" onClick={closeDialog}>{t("exceptions")}</a></p>;
}
