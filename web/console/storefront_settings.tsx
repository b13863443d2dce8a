// Shops whose orders come by themselves: connect one, see ten of its orders as they would arrive, and what troubles it.
import { useEffect, useState } from "preact/hooks";
import { t } from "../kit/words";
import { notice, report } from "./day";
import { Field } from "./dialogs";
import { NamesField } from "./names_field";
import { path } from "./places";
import { get, isViewer, send } from "./session";
import { RulesField, type Rule } from "./shop_rules";
import { sayFailure, sayInstant, type Failure } from "./shop_reports";

const CREDENTIALS = {
  SHOPIFY: ["clientId", "clientSecret"], WOOCOMMERCE: ["consumerKey", "consumerSecret", "hookSecret"],
  MEDUSA: ["apiKey", "hookSecret"], VENDURE: ["apiKey", "hookSecret"],
} as const;
// As the platforms' own pages call them.
const LABELS = {
  clientId: "Client ID", clientSecret: "Client secret", consumerKey: "Consumer key", consumerSecret: "Consumer secret", apiKey: "API key", hookSecret: "Hook secret",
} as const;
const NAMES = { SHOPIFY: "Shopify", WOOCOMMERCE: "WooCommerce", MEDUSA: "Medusa", VENDURE: "Vendure" } as const;
type Platform = keyof typeof CREDENTIALS;

export interface Connection {
  id: string; platform: Platform; label: string; address: string; state: "ACTIVE" | "PAUSED" | "REFUSED";
  lastSuccessAt?: string; lastFailure?: Failure; queue?: { waiting: number; failed: number }; settings: ShopSettings;
}
interface ShopSettings {
  deliveryDate: string[]; timeWindow: string[]; statuses: string[]; outForDeliveryStatus: string; attemptedStatus: string;
  lookBackDays: number; notifyCustomer: boolean; removeCancelled: boolean;
  orderRules: Rule[]; orderFields: OrderField[]; outForDeliveryTag: string; deliveredTag: string; attemptedTag: string;
}
const USUAL: ShopSettings = { deliveryDate: [], timeWindow: [], statuses: [], outForDeliveryStatus: "", attemptedStatus: "", lookBackDays: 60, notifyCustomer: false, removeCancelled: false, orderRules: [], orderFields: [], outForDeliveryTag: "", deliveredTag: "", attemptedTag: "" };
interface Order { id: string; name: string; state: string; deliveryDate?: { year: number; month: number; day: number }; remarks: string[] }
interface Check { isGood: boolean; findings: { subject: string; isGood: boolean; message: string; remedy: string }[]; storeOrders: { storeOrder: Order; isWanted: boolean }[] }

export const nameOfShop = (one: Connection) => one.label || `${NAMES[one.platform]} ${one.address}`;
export const sayShopState = (one: Connection) => t(one.state === "ACTIVE" ? "shopActive" : one.state === "PAUSED" ? "shopPaused" : "shopRefused");

export function StorefrontsTab() {
  const [connections, setConnections] = useState<Connection[] | null>(null);
  const [checked, setChecked] = useState<ReadonlyMap<string, Check>>(new Map());
  const [leaving, setLeaving] = useState(""); // of which shop it was asked whether it is to be forgotten
  const [renewing, setRenewing] = useState(path.value.split("/")[2] ?? ""); // which shop is given other credentials; the orders' page links here
  const [changing, setChanging] = useState(""); // how the orders of which shop are read
  const load = () => get<{ storefronts: Connection[] }>("/storefronts").then(({ storefronts }) => { setConnections(storefronts); }, report);
  useEffect(() => { void load(); }, []);
  if (!connections) return <p aria-live="polite">{t("loading")}</p>;
  const check = (id: string) => send<Check>("POST", `/storefronts/${id}/check`, {}).then((found) => { setChecked(new Map([...checked, [id, found]])); }, report);
  const change = (id: string, verb: string, body: Record<string, unknown> = {}) => send("POST", `/storefronts/${id}/${verb}`, body).then(load, report);
  const disconnect = (id: string) => send("DELETE", `/storefronts/${id}`).then(load, report);
  return (
    <>
      <p class="soft">{t("shopsHint")}</p>
      {connections.length === 0 && <p>{t("noShops")}</p>}
      <ul class="plain" aria-label={t("storefrontsTab")}>{connections.map((one) => (
        <li key={one.id} class="shop">
          <h2>{one.label || NAMES[one.platform]} <span class="soft">{one.address}</span></h2>
          <p>{sayShopState(one)}
            {one.lastSuccessAt && ` · ${t("shopSeen", { time: sayInstant(one.lastSuccessAt) })}`}
            {!!one.queue?.waiting && ` · ${t("reportsWait", { count: one.queue.waiting })}`}{!!one.queue?.failed && ` · ${t("failedReports", { count: one.queue.failed })}`}</p>
          {one.lastFailure && <p class="warn">{sayFailure(one.lastFailure)}</p>}
          {!isViewer.value && (
            <p class="verbs">
              <button type="button" onClick={() => { void check(one.id); }}>{t("shopCheck")}</button>
              <button type="button" onClick={() => { void change(one.id, "sync"); }}>{t("shopSync")}</button>
              <button type="button" onClick={() => { void change(one.id, "sync", { full: true }); }}>{t("shopReadAll")}</button>
              {one.state === "ACTIVE"
                ? <button type="button" onClick={() => { void change(one.id, "pause"); }}>{t("shopPause")}</button>
                : <button type="button" onClick={() => { void change(one.id, "resume"); }}>{t("shopResume")}</button>}
              <button type="button" aria-expanded={changing === one.id} onClick={() => { setChanging(changing === one.id ? "" : one.id); }}>{t("shopSettings")}</button>
              <button type="button" aria-expanded={renewing === one.id} onClick={() => { setRenewing(renewing === one.id ? "" : one.id); }}>{t("newCredentials")}</button>
              {leaving === one.id
                ? <button type="button" class="bad" onClick={() => { void disconnect(one.id); }}>{t("shopSure")}</button>
                : <button type="button" class="bad" onClick={() => { setLeaving(one.id); }}>{t("shopDisconnect")}</button>}
            </p>
          )}
          {!isViewer.value && renewing === one.id && <CredentialsForm shop={one} done={() => { setRenewing(""); notice.value = t("credentialsTaken"); void load(); }} />}
          {!isViewer.value && changing === one.id && <SettingsForm shop={one} done={() => { setChanging(""); notice.value = t("shopSettingsSaved"); void load().then(() => check(one.id)); }} />}
          {checked.has(one.id) && <CheckResult found={checked.get(one.id)!} />}
        </li>
      ))}</ul>
      {!isViewer.value && <ConnectForm done={(made) => { void load(); if (made.state !== "REFUSED") void check(made.id); }} />}
    </>
  );
}

function CheckResult({ found }: { found: Check }) {
  return (
    <>
      <ul class="plain">{found.findings.map((one) => <li key={one.subject} class={one.isGood ? "" : "warn"}>{one.isGood ? "✓" : "✗"} {one.subject}: {sayFailure(one)}</li>)}</ul>
      <table>
        <caption>{t("shopOrders")}</caption>
        <thead><tr><th class="whole">{t("shopOrder")}</th><th class="whole">{t("shopDay")}</th><th>{t("shopRemarks")}</th></tr></thead>
        <tbody>{found.storeOrders.map(({ storeOrder, isWanted }) => (
          <tr key={storeOrder.id}><td class="whole">{storeOrder.name}</td><td class="whole">{sayDate(storeOrder)}</td><td>{[...(isWanted ? [] : [t("shopUnwanted")]), ...storeOrder.remarks].join("; ")}</td></tr>
        ))}</tbody>
      </table>
    </>
  );
}

interface SecretFieldsProps { platform: Platform; secrets: Record<string, string>; change: (secrets: Record<string, string>) => void }

function SecretFields({ platform, secrets, change }: SecretFieldsProps) {
  return <>{CREDENTIALS[platform].map((name) => (
    <Field key={`${platform} ${name}`} label={LABELS[name]}><input type="password" autocomplete="off" required={name !== "hookSecret"} value={secrets[name] ?? ""} onInput={(event) => { change({ ...secrets, [name]: event.currentTarget.value }); }} /></Field>
  ))}</>;
}

const filled = (platform: Platform, secrets: Record<string, string>) => Object.fromEntries(CREDENTIALS[platform].filter((name) => secrets[name]).map((name) => [name, secrets[name]!]));

// The shop is asked before they are kept; where it does not accept them, those before stay.
function CredentialsForm({ shop, done }: { shop: Connection; done: () => void }) {
  const [secrets, setSecrets] = useState<Record<string, string>>({});
  const [isBusy, setBusy] = useState(false);
  const title = `${t("newCredentials")}: ${nameOfShop(shop)}`;
  async function submit(event: Event) {
    event.preventDefault();
    setBusy(true);
    await send("POST", `/storefronts/${shop.id}/credentials`, { credentials: filled(shop.platform, secrets) }).then(done, report);
    setBusy(false);
  }
  return (
    <form aria-label={title} onSubmit={(event) => { void submit(event); }}>
      <SecretFields platform={shop.platform} secrets={secrets} change={setSecrets} />
      <p class="soft">{t("credentialsHint")}</p>
      <button type="submit" class="main" disabled={isBusy}>{t("save")}</button>
    </form>
  );
}

const FIELDS = { ROUTE: "fieldRoute", STOP_NUMBER: "fieldStopNumber", ARRIVAL: "fieldArrival", DRIVER: "driver", STATUS: "fieldStatus", TRACKING_URL: "trackingLink" } as const;
type OrderField = keyof typeof FIELDS;
const FIELD_NAMES = Object.keys(FIELDS) as OrderField[];

// What was typed around a status or a tag is no part of it.
const trimmed = (settings: ShopSettings): ShopSettings => ({
  ...settings,
  outForDeliveryStatus: settings.outForDeliveryStatus.trim(), attemptedStatus: settings.attemptedStatus.trim(),
  outForDeliveryTag: settings.outForDeliveryTag.trim(), deliveredTag: settings.deliveredTag.trim(), attemptedTag: settings.attemptedTag.trim(),
});

interface SettingFieldsProps { platform: Platform; settings: ShopSettings; change: (settings: ShopSettings) => void }

function SettingFields({ platform, settings, change }: SettingFieldsProps) {
  const names = (key: "deliveryDate" | "timeWindow" | "statuses", label: string, placeholder: string) =>
    <NamesField label={label} names={settings[key]} placeholder={placeholder} change={(given) => { change({ ...settings, [key]: given }); }} />;
  const text = (key: "outForDeliveryStatus" | "attemptedStatus" | "outForDeliveryTag" | "deliveredTag" | "attemptedTag", label: string) =>
    <Field label={label}><input value={settings[key]} onInput={(event) => { change({ ...settings, [key]: event.currentTarget.value }); }} /></Field>;
  const choice = (key: "notifyCustomer" | "removeCancelled", label: string) =>
    <label class="choice"><input type="checkbox" checked={settings[key]} onChange={(event) => { change({ ...settings, [key]: event.currentTarget.checked }); }} /> {label}</label>;
  return (
    <>
      {names("deliveryDate", t("shopDate"), "Delivery Date")}
      {names("timeWindow", t("shopWindow"), "Delivery Time")}
      {platform === "WOOCOMMERCE" && <>
        {names("statuses", t("shopOpenStatuses"), "processing")}
        {text("outForDeliveryStatus", t("shopOutStatus"))}
        {text("attemptedStatus", t("shopAttemptedStatus"))}
      </>}
      <Field label={t("shopLookBack")}><input type="number" min="1" max="365" required value={settings.lookBackDays} onInput={(event) => { change({ ...settings, lookBackDays: Number(event.currentTarget.value) }); }} /></Field>
      {choice("notifyCustomer", t("shopNotifies"))}
      {choice("removeCancelled", t("shopRemoves"))}
      <RulesField platform={platform} rules={settings.orderRules} change={(orderRules) => { change({ ...settings, orderRules }); }} />
      <fieldset class="rules">
        <legend>{t("shopFields")}</legend>
        {FIELD_NAMES.map((name) => (
          <label key={name} class="choice"><input type="checkbox" checked={settings.orderFields.includes(name)} onChange={(event) => { change({ ...settings, orderFields: FIELD_NAMES.filter((one) => (one === name ? event.currentTarget.checked : settings.orderFields.includes(one))) }); }} /> {t(FIELDS[name])}</label>
        ))}
        {platform === "SHOPIFY" && <>
          {text("outForDeliveryTag", t("shopOutTag"))}
          {text("deliveredTag", t("shopDeliveredTag"))}
          {text("attemptedTag", t("shopAttemptedTag"))}
        </>}
      </fieldset>
    </>
  );
}

// Its orders are read again with these; what they come to is shown at once.
function SettingsForm({ shop, done }: { shop: Connection; done: () => void }) {
  const [settings, setSettings] = useState<ShopSettings>({ ...USUAL, ...shop.settings });
  const [label, setLabel] = useState(shop.label);
  const [isBusy, setBusy] = useState(false);
  async function submit(event: Event) {
    event.preventDefault();
    setBusy(true);
    await send("PATCH", `/storefronts/${shop.id}`, { storefront: { label, settings: trimmed(settings) }, updateMask: "label,settings" }).then(done, report);
    setBusy(false);
  }
  return (
    <form aria-label={`${t("shopSettings")}: ${nameOfShop(shop)}`} class="shop-settings" onSubmit={(event) => { void submit(event); }}>
      <Field label={t("name")}><input value={label} placeholder={NAMES[shop.platform]} onInput={(event) => { setLabel(event.currentTarget.value); }} /></Field>
      <SettingFields platform={shop.platform} settings={settings} change={setSettings} />
      <button type="submit" class="main" disabled={isBusy}>{t("save")}</button>
    </form>
  );
}

function ConnectForm({ done }: { done: (made: Connection) => void }) {
  const [platform, setPlatform] = useState<Platform>("SHOPIFY");
  const [address, setAddress] = useState("");
  const [prefix, setPrefix] = useState("");
  const [settings, setSettings] = useState(USUAL);
  const [connected, setConnected] = useState(0); // how many: the next begins with empty fields
  const [secrets, setSecrets] = useState<Record<string, string>>({});
  const [isBusy, setBusy] = useState(false);
  async function submit(event: Event) {
    event.preventDefault();
    setBusy(true);
    const credentials = filled(platform, secrets);
    await send<Connection>("POST", "/storefronts", { platform, address, prefix, credentials, settings: trimmed(settings) }).then((made) => {
      setSecrets({});
      setAddress("");
      setSettings(USUAL);
      setConnected((before) => before + 1);
      notice.value = t("saved");
      done(made);
    }, report);
    setBusy(false);
  }
  return (
    <form onSubmit={(event) => { void submit(event); }}>
      <h2>{t("shopConnect")}</h2>
      <Field label={t("shopPlatform")}><select value={platform} onChange={(event) => { setPlatform(event.currentTarget.value as Platform); setSecrets({}); setSettings(USUAL); }}>
        {(Object.keys(NAMES) as Platform[]).map((one) => <option key={one} value={one}>{NAMES[one]}</option>)}
      </select></Field>
      <Field label={t("address")}><input required value={address} placeholder="shop.example.com" onInput={(event) => { setAddress(event.currentTarget.value); }} /></Field>
      <SecretFields platform={platform} secrets={secrets} change={setSecrets} />
      <Field label={t("shopPrefix")}><input value={prefix} onInput={(event) => { setPrefix(event.currentTarget.value); }} /></Field>
      <SettingFields key={`${platform} ${connected}`} platform={platform} settings={settings} change={setSettings} />
      <button type="submit" class="main" disabled={isBusy}>{t("shopConnect")}</button>
    </form>
  );
}

const sayDate = ({ deliveryDate: on }: Order) => (on ? `${on.year}-${String(on.month).padStart(2, "0")}-${String(on.day).padStart(2, "0")}` : "");
