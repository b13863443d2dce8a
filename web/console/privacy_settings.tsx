// What is kept of somebody, erasing it, what became of erasures, and for how long data are kept.
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { phoneOf } from "../kit/phones";
import { sayDay, sayTime, dayAt } from "../kit/times";
import { locale, t } from "../kit/words";
import { notice, report } from "./day";
import { closeDialog, Failure, Field, openDialog } from "./dialogs";
import { get, getAll, send, zone } from "./session";
import { nameOfDriver, type RouteDriver } from "./shapes";

const KINDS = ["phone", "email", "clientStopId", "importedStopId", "driverId"] as const;
type Kind = (typeof KINDS)[number];

const LOOK_AGAIN_MILLIS = 2_000;
const MOST_SHOWN = 50;

interface Receipt {
  erasedAt: string; reason: string; importedStops: number; routeStops: number; orders: number; documents: number; pictures: number;
  evidenceRecords: number; positions: number; journalEntries: number; devices: number;
}
interface Erasure { id: string; status: string; createdAt: string; driverId?: string; percentDone?: number; error?: string; receipt?: Receipt }
interface Kept { importedStops: object[]; stops: object[]; orders: object[] }
interface Who { kind: Kind; value: string; name: string }

const sayKind = (kind: Kind) => ({
  phone: t("phone"), email: t("email"), clientStopId: t("clientStopId"), importedStopId: t("importedStopId"), driverId: t("driver"),
})[kind];

const sayMoment = (at: string) => `${sayDay(dayAt(Date.parse(at), zone.value), locale.value)}, ${sayTime(at, zone.value, locale.value)}`;

export function PrivacyTab() {
  const [erasures, setErasures] = useState<Erasure[] | null>(null);
  const [drivers, setDrivers] = useState<RouteDriver[]>([]);
  const readErasures = () => get<{ erasures: Erasure[] }>(`/privacy/erasures?query.limit=${MOST_SHOWN}`).then((page) => { setErasures(page.erasures); }, report);
  const readDrivers = () => readAllDrivers().then(setDrivers, report);
  const isGoingOn = erasures?.some((one) => one.status === "QUEUED" || one.status === "RUNNING") ?? false;
  useEffect(() => { void readErasures(); void readDrivers(); }, []);
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setTimeout(() => { void readErasures(); void readDrivers(); }, LOOK_AGAIN_MILLIS);
    return () => { clearTimeout(timer); };
  }, [erasures]);
  if (!erasures) return <p aria-live="polite">{t("loading")}</p>;
  return (
    <div class="privacy">
      <Person drivers={drivers} erased={readErasures} />
      <section class="card" aria-label={t("erasures")}>
        <h2>{t("erasures")}</h2>
        {erasures.length ? <Erasures erasures={erasures} /> : <p class="soft">{t("noErasures")}</p>}
      </section>
      <RetentionSection />
    </div>
  );
}

// All who have a name yet: one who was erased has none.
async function readAllDrivers(): Promise<RouteDriver[]> {
  const [present, archived] = await Promise.all([
    getAll<RouteDriver>("/drivers", "drivers"), getAll<RouteDriver>("/drivers?query.status=ARCHIVED", "drivers"),
  ]);
  return [...present, ...archived].filter((one) => one.firstName || one.lastName);
}

function Person({ drivers, erased }: { drivers: RouteDriver[]; erased: () => void }) {
  const [kind, setKind] = useState<Kind>("phone");
  const [value, setValue] = useState("");
  const [found, setFound] = useState<{ who: Who; kept: Kept | null } | null>(null);
  const [trouble, setTrouble] = useState("");
  const [isBusy, setBusy] = useState(false);
  const asked = useRef(0);
  // Whoever asks something else is shown nothing of what was asked before: Erase stands beside it.
  function forget() {
    asked.current += 1;
    setBusy(false);
    setTrouble("");
    setFound(null);
  }
  async function submit(event: Event) {
    event.preventDefault();
    forget();
    const question = asked.current;
    const answered = (show: () => void) => {
      if (question !== asked.current) return;
      setBusy(false);
      show();
    };
    const driver = drivers.find((one) => kind === "driverId" && one.id === value);
    const sought = kind === "phone" ? phoneOf(value) : value;
    const who = { kind, value: sought, name: driver ? nameOfDriver(driver) : sought };
    if (driver) {
      setFound({ who, kept: null });
      return;
    }
    setBusy(true);
    await get<Kept>(`/privacy/exports?query.${kind}=${encodeURIComponent(sought)}`).then(
      (kept) => { answered(() => { setFound({ who, kept }); }); },
      (error: unknown) => { answered(() => { setTrouble(error instanceof Error ? error.message : String(error)); }); },
    );
  }
  return (
    <section class="card" aria-label={t("somebodysData")}>
      <h2>{t("somebodysData")}</h2>
      <p class="soft">{t("somebodysDataHint")}</p>
      <form class="look-up" onSubmit={(event) => { void submit(event); }}>
        <Field label={t("knownBy")}>
          <select value={kind} onChange={(event) => { setKind(event.currentTarget.value as Kind); setValue(""); forget(); }}>
            {KINDS.map((one) => <option key={one} value={one}>{sayKind(one)}</option>)}
          </select>
        </Field>
        <Field label={sayKind(kind)}>
          {kind === "driverId"
            ? (
              <select required value={value} onChange={(event) => { setValue(event.currentTarget.value); forget(); }}>
                <option value="">{t("chooseDriver")}</option>
                {drivers.map((one) => <option key={one.id} value={one.id}>{nameOfDriver(one)}</option>)}
              </select>
            )
            : <input required autocomplete="off" type="text" inputMode={kind === "email" ? "email" : kind === "phone" ? "tel" : "text"} value={value} onInput={(event) => { setValue(event.currentTarget.value.trim()); forget(); }} />}
        </Field>
        <button type="submit" class="main" disabled={isBusy}>{t("lookUp")}</button>
      </form>
      {isBusy && <p aria-live="polite">{t("loading")}</p>}
      <Failure words={trouble} />
      {found && <Found who={found.who} kept={found.kept} erased={() => { setFound(null); setValue(""); erased(); }} />}
    </section>
  );
}

function Found({ who, kept, erased }: { who: Who; kept: Kept | null; erased: () => void }) {
  const counted = kept ? sayCounts([["keptImported", kept.importedStops.length], ["keptStops", kept.stops.length], ["keptOrders", kept.orders.length]]) : "";
  const isNothing = kept !== null && !counted;
  return (
    <div aria-live="polite" class="found">
      <p><b>{who.name}</b>{kept && <> · {isNothing ? t("keptNothing") : counted}</>}</p>
      <p class="verbs">
        {kept && !isNothing && <button type="button" onClick={() => { download(kept); }}>{t("downloadJson")}</button>}
        {/* Evidence and journals may know somebody of whom no stop is left. */}
        <button type="button" class="danger" onClick={() => { openDialog(<EraseDialog who={who} erased={erased} />); }}>{t("erase")}</button>
      </p>
    </div>
  );
}

function download(kept: Kept): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(kept, null, 2)], { type: "application/json" }));
  link.download = "kept-data.json";
  link.click();
  setTimeout(() => { URL.revokeObjectURL(link.href); }, 60_000);
}

// Says what goes and what stays, and erases only when it was said that this is known.
function EraseDialog({ who, erased }: { who: Who; erased: () => void }) {
  const [reason, setReason] = useState("");
  const [isSure, setSure] = useState(false);
  const [trouble, setTrouble] = useState("");
  const [isBusy, setBusy] = useState(false);
  const isDriver = who.kind === "driverId";
  async function submit(event: Event) {
    event.preventDefault();
    setBusy(true);
    try {
      await send("POST", "/privacy/erasures", { [who.kind]: who.value, reason });
      closeDialog();
      notice.value = t("erasureQueued");
      erased();
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  }
  return (
    <Dialog title={t("eraseWho", { name: who.name })} close={closeDialog}>
      <form onSubmit={(event) => { void submit(event); }}>
        <dl>
          <dt>{t("goes")}</dt><dd>{t(isDriver ? "driverGoes" : "customerGoes")}</dd>
          <dt>{t("stays")}</dt><dd>{t(isDriver ? "driverStays" : "customerStays")}</dd>
        </dl>
        <Failure words={trouble} />
        <Field label={t("reason")}><input maxLength={1_500} value={reason} onInput={(event) => { setReason(event.currentTarget.value); }} /></Field>
        <label class="check"><input type="checkbox" required checked={isSure} onChange={() => { setSure(!isSure); }} /> {t("noWayBack")}</label>
        <div class="buttons">
          <button type="button" onClick={closeDialog}>{t("cancel")}</button>
          <button type="submit" class="danger" disabled={!isSure || isBusy}>{t("eraseForGood")}</button>
        </div>
      </form>
    </Dialog>
  );
}

const sayErasureStatus = (status: string) => ({
  QUEUED: t("messageWaiting"), RUNNING: t("erasureRunning"), COMPLETED: t("erasureDone"), FAILED: t("messageFailed"),
})[status] ?? status;

function Erasures({ erasures }: { erasures: Erasure[] }) {
  return (
    <ul class="plain erasures" aria-label={t("erasures")}>{erasures.map((one) => (
      <li key={one.id}>
        <p>
          <b>{one.driverId ? t("driver") : t("customer")}</b> <span class="soft">{one.driverId ?? ""}</span> · {sayMoment(one.createdAt)} · <span class={one.status === "FAILED" ? "bad" : ""}>{sayErasureStatus(one.status)}</span>{one.error && <span class="soft"> · {one.error}</span>}
        </p>
        {(one.status === "QUEUED" || one.status === "RUNNING") && <progress aria-label={t("erasureRunning")} max={100} value={one.percentDone ?? 0} />}
        {one.receipt && (
          <details>
            <summary>{t("receipt")}</summary>
            <dl>
              <dt>{t("erasureDone")}</dt><dd>{sayMoment(one.receipt.erasedAt)}</dd>
              {one.receipt.reason && <><dt>{t("reason")}</dt><dd>{one.receipt.reason}</dd></>}
              <dt>{t("removedRows")}</dt><dd>{sayReceipt(one.receipt) || t("keptNothing")}</dd>
              <dt>ID</dt><dd>{one.id}</dd>
            </dl>
          </details>
        )}
      </li>
    ))}</ul>
  );
}

type Counted = "keptImported" | "keptStops" | "keptOrders" | "erasedDocuments" | "erasedPictures" | "erasedRecords" | "erasedPositions" | "erasedEntries" | "erasedDevices";

const sayCounts = (counts: [Counted, number][]) => counts.filter(([, count]) => count).map(([key, count]) => t(key, { count })).join(" · ");

const sayReceipt = (receipt: Receipt) => sayCounts([
  ["keptImported", receipt.importedStops], ["keptStops", receipt.routeStops], ["keptOrders", receipt.orders], ["erasedDocuments", receipt.documents],
  ["erasedPictures", receipt.pictures], ["erasedRecords", receipt.evidenceRecords], ["erasedPositions", receipt.positions],
  ["erasedEntries", receipt.journalEntries], ["erasedDevices", receipt.devices],
]);

const PARTS = ["positionsDays", "eventsDays", "proofDays", "customersDays"] as const;
type Retention = Record<(typeof PARTS)[number], number>;

function RetentionSection() {
  const [given, setGiven] = useState<Retention | null>(null);
  useEffect(() => { get<{ retention: Retention }>("/organization").then(({ retention }) => { setGiven(retention); }, report); }, []);
  return (
    <section class="card" aria-label={t("retention")}>
      <h2>{t("retention")}</h2>
      {given ? <RetentionForm given={given} saved={setGiven} /> : <p aria-live="polite">{t("loading")}</p>}
    </section>
  );
}

function RetentionForm({ given, saved }: { given: Retention; saved: (retention: Retention) => void }) {
  const [days, setDays] = useState(given);
  const [said, setSaid] = useState("");
  const [trouble, setTrouble] = useState("");
  async function submit(event: Event) {
    event.preventDefault();
    setSaid("");
    setTrouble("");
    await send<{ retention: Retention }>("PATCH", "/organization", { organization: { retention: days }, updateMask: "retention" }).then(
      ({ retention }) => { saved(retention); setSaid(t("saved")); }, (error: unknown) => { setTrouble(error instanceof Error ? error.message : String(error)); },
    );
  }
  return (
    <form onSubmit={(event) => { void submit(event); }}>
      <p class="soft">{t("retentionHint")}</p>
      <div class="day-counts">
        {PARTS.map((part) => (
          <Field key={part} label={t(part)}>
            <input type="number" required min={1} max={3_650} value={days[part]} onInput={(event) => { setDays({ ...days, [part]: event.currentTarget.valueAsNumber }); setSaid(""); }} />
          </Field>
        ))}
      </div>
      <Failure words={trouble} />
      <p class="verbs"><button type="submit" class="main">{t("save")}</button> <span aria-live="polite" class="good">{said}</span></p>
    </form>
  );
}
