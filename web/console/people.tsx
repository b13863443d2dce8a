// Drivers with their invitations, and vehicles.
import { encode } from "uqr";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { phoneOf } from "../kit/phones";
import { sayWindow, t } from "../kit/words";
import { fleetVersion, report } from "./day";
import { ask, closeDialog, Failure, Field, openDialog, useSubmit } from "./dialogs";
import { EditDriver, type Driver } from "./driver_dialog";
import { getAll, isOwner, send } from "./session";
import { nameOfDriver, type Vehicle } from "./shapes";
import { sayLoad, VehicleDialog } from "./vehicle_dialog";

export const sayPersonStatus = (status: string) =>
  ({ ACTIVE: t("active"), INACTIVE: t("inactive"), INVITED: t("invited"), PENDING: t("invited"), ARCHIVED: t("archived"), DEACTIVATED: t("inactive") })[status] ?? status;

// What is listed, and how to read it again; it is read by itself when another planner changes it. Of
// two answers the one that was asked for later counts.
function useFleet<Item>(address: string, name: string): [Item[] | null, () => Promise<void>] {
  const [listed, setListed] = useState<Item[] | null>(null);
  const asked = useRef(0);
  const read = () => {
    asked.current += 1;
    const mine = asked.current;
    return getAll<Item>(address, name).then((found) => { if (mine === asked.current) setListed(found); }, report);
  };
  useEffect(() => { void read(); }, [fleetVersion.value]);
  return [listed, read];
}

export function DriversPage() {
  const [drivers, read] = useFleet<Driver>("/drivers", "drivers");
  const invite = (driver: Driver) => send<{ inviteUrl: string }>("POST", `/drivers/${driver.id}/invite`)
    .then(({ inviteUrl }) => openDialog(<InviteDriver url={inviteUrl} changed={read} />), report);
  return (
    <section class="page" aria-label={t("drivers")}>
      <h1>{t("drivers")}</h1>
      {isOwner.value && <p><button type="button" class="main" onClick={() => openDialog(<InviteDriver changed={read} />)}>{t("inviteDriver")}</button></p>}
      {drivers && !drivers.length && <p class="soft">{t("noDrivers")}</p>}
      <table class="stacked">
        <thead><tr><th>{t("name")}</th><th>{t("phone")}</th><th>{t("email")}</th><th>{t("state")}</th><th /></tr></thead>
        <tbody>
          {drivers?.map((one) => (
            <tr key={one.id}>
              <td data-label={t("name")}>{nameOfDriver(one)}</td><td data-label={t("phone")}>{one.phone}</td><td data-label={t("email")}>{one.email}</td><td data-label={t("state")}>{sayPersonStatus(one.status)}</td>
              <td class="whole-row">{isOwner.value && one.status !== "ARCHIVED" && <>
                {one.status !== "DEACTIVATED" && <button type="button" class="quiet" aria-label={`${t("invite")} ${nameOfDriver(one)}`} onClick={() => void invite(one)}>{t("invite")}</button>}
                <button type="button" class="quiet" aria-label={`${t("edit")} ${nameOfDriver(one)}`} onClick={() => openDialog(<EditDriver driver={one} changed={read} />)}>{t("edit")}</button>
              </>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => isDark ? `M${x} ${y}h1v1h-1z` : "")).join("");
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" /><path d={path} fill="#000" />
    </svg>
  );
}

function InviteDriver({ url = "", changed }: { url?: string; changed: () => void }) {
  const [link, setLink] = useState(url);
  const [first, setFirst] = useState("");
  const [last, setLast] = useState("");
  const [phone, setPhone] = useState("");
  const number = phoneOf(phone);
  const [submit, trouble, isBusy] = useSubmit(async () => {
    const made = await send<{ inviteUrl: string }>("POST", "/drivers", { firstName: first, lastName: last, ...(number ? { phone: number } : {}) });
    setLink(made.inviteUrl);
    changed();
  });
  return (
    <Dialog title={t("inviteDriver")} close={closeDialog}>
      {!link && (
        <form onSubmit={submit}>
          <Failure words={trouble} />
          <Field label={t("firstName")}><input required value={first} onInput={(event) => setFirst(event.currentTarget.value)} /></Field>
          <Field label={t("lastName")}><input value={last} onInput={(event) => setLast(event.currentTarget.value)} /></Field>
          <Field label={t("phone")}><input type="tel" value={phone} onInput={(event) => setPhone(event.currentTarget.value)} /></Field>
          <div class="buttons">
            <button type="button" onClick={closeDialog}>{t("cancel")}</button>
            <button type="submit" class="main" disabled={isBusy}>{t("invite")}</button>
          </div>
        </form>
      )}
      {link && <>
        <p>{t("inviteWords")}</p>
        <Field label={t("inviteLink")}><input readOnly value={link} onFocus={(event) => event.currentTarget.select()} /></Field>
        <QrCode text={link} label={t("inviteQr")} />
        <div class="buttons"><button type="button" class="main" onClick={closeDialog}>{t("close")}</button></div>
      </>}
    </Dialog>
  );
}

export function VehiclesPage() {
  const [vehicles, read] = useFleet<Vehicle>("/vehicles?query.includeArchived=true", "vehicles");
  async function archive({ id, name, isArchived }: Vehicle) {
    if (!isArchived && !(await ask(t("archive"), t("archive"), t("vehicleArchiveQuestion", { name })))) return;
    await send(isArchived ? "DELETE" : "POST", `/vehicles/${id}/archive`).then(read, report);
  }
  return (
    <section class="page" aria-label={t("vehicles")}>
      <h1>{t("vehicles")}</h1>
      {isOwner.value && <p><button type="button" class="main" onClick={() => openDialog(<VehicleDialog changed={read} />)}>{t("newVehicle")}</button></p>}
      {vehicles && !vehicles.length && <p class="soft">{t("noVehicles")}</p>}
      <table class="stacked">
        <thead><tr><th>{t("name")}</th><th>{t("license")}</th><th>{t("capacity")}</th><th>{t("shift")}</th><th>{t("state")}</th><th /></tr></thead>
        <tbody>
          {vehicles?.map((one) => (
            <tr key={one.id}>
              <td data-label={t("name")}>{one.name}</td><td data-label={t("license")}>{one.license}</td>
              <td data-label={t("capacity")}>{Object.entries(one.capacities ?? {}).map(([name, amount]) => sayLoad(name, amount)).join(", ")}</td>
              <td data-label={t("shift")}>{one.shift && sayWindow(one.shift)}</td>
              <td data-label={t("state")}>{one.isArchived ? t("archived") : t("active")}</td>
              <td class="whole-row">{isOwner.value && <>
                {!one.isArchived && <button type="button" class="quiet" aria-label={`${t("edit")} ${one.name}`} onClick={() => openDialog(<VehicleDialog vehicle={one} changed={read} />)}>{t("edit")}</button>}
                <button type="button" class="quiet" aria-label={`${one.isArchived ? t("activate") : t("archive")} ${one.name}`} onClick={() => void archive(one)}>{one.isArchived ? t("activate") : t("archive")}</button>
              </>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
