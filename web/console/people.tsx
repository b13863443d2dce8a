// Drivers with their invitations, and vehicles.
import { encode } from "uqr";
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { t } from "../kit/words";
import { report } from "./day";
import { ask, closeDialog, Failure, Field, openDialog, useSubmit } from "./dialogs";
import { getAll, isViewer, send } from "./session";
import { nameOfDriver, type Vehicle } from "./shapes";

interface Driver { id: string; firstName: string; lastName: string; phone: string; email: string; status: string }

export const sayPersonStatus = (status: string) =>
  ({ ACTIVE: t("active"), INACTIVE: t("inactive"), INVITED: t("invited"), PENDING: t("invited"), ARCHIVED: t("archived"), DEACTIVATED: t("inactive") })[status] ?? status;

export function DriversPage() {
  const [drivers, setDrivers] = useState<Driver[] | null>(null);
  const read = () => getAll<Driver>("/drivers", "drivers").then(setDrivers, report);
  useEffect(() => { void read(); }, []);
  const invite = (driver: Driver) => send<{ inviteUrl: string }>("POST", `/drivers/${driver.id}/invite`)
    .then(({ inviteUrl }) => openDialog(<InviteDriver url={inviteUrl} changed={read} />), report);
  return (
    <section class="page" aria-label={t("drivers")}>
      <h1>{t("drivers")}</h1>
      {!isViewer.value && <p><button type="button" class="main" onClick={() => openDialog(<InviteDriver changed={read} />)}>{t("inviteDriver")}</button></p>}
      {drivers && !drivers.length && <p class="soft">{t("noDrivers")}</p>}
      <table>
        <thead><tr><th>{t("name")}</th><th>{t("phone")}</th><th>{t("email")}</th><th>{t("state")}</th><th /></tr></thead>
        <tbody>
          {drivers?.map((one) => (
            <tr key={one.id}>
              <td>{nameOfDriver(one)}</td><td>{one.phone}</td><td>{one.email}</td><td>{sayPersonStatus(one.status)}</td>
              <td>{!isViewer.value && one.status !== "ARCHIVED" && <button type="button" class="quiet" aria-label={`${t("invite")} ${nameOfDriver(one)}`} onClick={() => void invite(one)}>{t("invite")}</button>}</td>
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
  const number = phone.replace(/[\s().\/-]/g, ""); // as people write it
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
  const [vehicles, setVehicles] = useState<Vehicle[] | null>(null);
  const read = () => getAll<Vehicle>("/vehicles?query.includeArchived=true", "vehicles").then(setVehicles, report);
  useEffect(() => { void read(); }, []);
  async function archive({ id, name, isArchived }: Vehicle) {
    if (!isArchived && !(await ask(t("archive"), t("archive"), t("vehicleArchiveQuestion", { name })))) return;
    await send(isArchived ? "DELETE" : "POST", `/vehicles/${id}/archive`).then(read, report);
  }
  return (
    <section class="page" aria-label={t("vehicles")}>
      <h1>{t("vehicles")}</h1>
      {!isViewer.value && <p><button type="button" class="main" onClick={() => openDialog(<NewVehicle changed={read} />)}>{t("newVehicle")}</button></p>}
      {vehicles && !vehicles.length && <p class="soft">{t("noVehicles")}</p>}
      <table>
        <thead><tr><th>{t("name")}</th><th>{t("license")}</th><th>{t("capacity")}</th><th>{t("state")}</th><th /></tr></thead>
        <tbody>
          {vehicles?.map((one) => (
            <tr key={one.id}>
              <td>{one.name}</td><td>{one.license}</td>
              <td>{Object.entries(one.capacities ?? {}).map(([name, amount]) => `${amount} ${name}`).join(", ")}</td>
              <td>{one.isArchived ? t("archived") : t("active")}</td>
              <td>{!isViewer.value && <button type="button" class="quiet" aria-label={`${one.isArchived ? t("activate") : t("archive")} ${one.name}`} onClick={() => void archive(one)}>{one.isArchived ? t("activate") : t("archive")}</button>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function NewVehicle({ changed }: { changed: () => void }) {
  const [name, setName] = useState("");
  const [license, setLicense] = useState("");
  const [kilograms, setKilograms] = useState("");
  const [submit, trouble, isBusy] = useSubmit(async () => {
    const capacities = kilograms ? { capacities: { kilograms: Number(kilograms) } } : {};
    await send("POST", "/vehicles", { name, license, ...capacities });
    closeDialog();
    changed();
  });
  return (
    <Dialog title={t("newVehicle")} close={closeDialog}>
      <form onSubmit={submit}>
        <Failure words={trouble} />
        <Field label={t("name")}><input required value={name} onInput={(event) => setName(event.currentTarget.value)} /></Field>
        <Field label={t("license")}><input value={license} onInput={(event) => setLicense(event.currentTarget.value)} /></Field>
        <Field label={`${t("capacity")} (kg)`}><input type="number" min="0" value={kilograms} onInput={(event) => setKilograms(event.currentTarget.value)} /></Field>
        <div class="buttons">
          <button type="button" onClick={closeDialog}>{t("cancel")}</button>
          <button type="submit" class="main" disabled={isBusy}>{t("addVehicle")}</button>
        </div>
      </form>
    </Dialog>
  );
}
