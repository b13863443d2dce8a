// What customers are told, when, by which way, and in which words.
import { useEffect, useRef, useState } from "preact/hooks";
import { Refusal } from "../kit/http";
import { locale, t } from "../kit/words";
import { notice, report } from "./day";
import { Failure, Field } from "./dialogs";
import { call, get, isOwner, isViewer, send, session } from "./session";

export const MOMENTS = ["PLANNED", "ON_THE_WAY", "NEXT", "SLIPPED", "DELIVERED", "ATTEMPTED"] as const;
const CHANNELS = ["EMAIL", "SMS"] as const;
export const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "pt"] as const;
const METHODS = ["POST", "PUT", "GET"] as const;
type Moment = (typeof MOMENTS)[number];
type Channel = (typeof CHANNELS)[number];

interface Template { moment: string; channel: string; language: string; subject?: string; text: string }
interface Gateway { method: string; url: string; headers: Record<string, string>; body: string }
interface Settings {
  rules: { moment: string; channel: string; enabled: boolean }[]; templates: Template[]; quietHours?: { start: string; end: string }; language?: string; smsGateway?: Gateway;
}
interface Preview { subject?: string; text: string; segments?: number }

export const sayMoment = (moment: string) => ({
  PLANNED: t("planned"), ON_THE_WAY: t("momentOnTheWay"), NEXT: t("momentNext"), SLIPPED: t("momentSlipped"), DELIVERED: t("delivered"), ATTEMPTED: t("couldNotDeliver"),
})[moment] ?? moment;
export const sayChannel = (channel: string) => (channel === "EMAIL" ? t("email") : t("textMessage"));
export const sayMessageStatus = (status: string) => ({ WAITING: t("messageWaiting"), SENT: t("messageSent"), FAILED: t("messageFailed"), SUPPRESSED: t("messageSuppressed") })[status] ?? status;

// As the settings were read: a change is decided on that, and the server is told so.
interface Read { settings: Settings; tag: string }

export function MessagesTab() {
  const [given, setGiven] = useState<Read | null>(null);
  const read = async () => {
    const { body, tag } = await call<Settings>("/settings/messages");
    setGiven({ settings: body, tag });
  };
  useEffect(() => { read().catch(report); }, []);
  if (!given) return <p aria-live="polite">{t("loading")}</p>;
  async function save(messages: Partial<Settings>, updateMask: string, version: string) {
    try {
      const { body, tag } = await call<Settings>("/settings/messages", { method: "PATCH", body: { messages, updateMask }, version });
      setGiven({ settings: body, tag });
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "conflict") throw error;
      await read();
      throw new ChangedMeanwhile(t("changedMeanwhile", { name: t("messagesTab") }));
    }
  }
  const shown = { given: given.settings, mayEdit: isOwner.value && !isViewer.value, save: (messages: Partial<Settings>, mask: string) => save(messages, mask, given.tag) };
  return <><MessagesForm {...shown} /><Words {...shown} /><Suppressed mayEdit={!isViewer.value} /></>;
}

class ChangedMeanwhile extends Error {}

// Each language by its name in the language of the console.
export const nameOfLanguage = (code: string) => new Intl.DisplayNames([locale.value], { type: "language" }).of(code) ?? code;

interface FormProps { given: Settings; mayEdit: boolean; save: (messages: Partial<Settings>, mask: string) => Promise<void> }

function isOn(rules: Settings["rules"], moment: Moment, channel: Channel): boolean {
  return rules.findLast((one) => one.moment === moment && one.channel === channel)?.enabled ?? false;
}

// Headers are written one a line, as "Name: value".
function readHeaders(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.includes(":"));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(":")).trim(), line.slice(line.indexOf(":") + 1).trim()]));
}

const NO_GATEWAY: Gateway = { method: "POST", url: "", headers: {}, body: "" };

// What is typed or ticked lies over what was read, and nothing else is sent: whatever another owner
// changes meanwhile stays.
function MessagesForm({ given, mayEdit, save }: FormProps) {
  const [ticks, setTicks] = useState<Settings["rules"]>([]);
  const [typedQuiet, setQuiet] = useState<{ start: string; end: string } | null>(null);
  const [typedGateway, setGateway] = useState<Gateway | null>(null);
  const [typedHeaders, setHeaders] = useState<string | null>(null);
  const [trouble, setTrouble] = useState("");
  const rules = [...given.rules.filter((one) => !ticks.some((tick) => tick.moment === one.moment && tick.channel === one.channel)), ...ticks];
  const quiet = typedQuiet ?? given.quietHours ?? { start: "", end: "" };
  const gateway = typedGateway ?? given.smsGateway ?? NO_GATEWAY;
  const headers = typedHeaders ?? Object.entries(given.smsGateway?.headers ?? {}).map(([name, value]) => `${name}: ${value}`).join("\n");
  const turn = (moment: Moment, channel: Channel, enabled: boolean) => {
    setTicks([...ticks.filter((one) => one.moment !== moment || one.channel !== channel), { moment, channel, enabled }]);
  };
  const forget = () => {
    setTicks([]);
    setQuiet(null);
    setGateway(null);
    setHeaders(null);
  };
  async function submit(event: Event) {
    event.preventDefault();
    const isGatewayTyped = typedGateway !== null || typedHeaders !== null;
    const mask = [ticks.length ? "rules" : "", typedQuiet ? "quietHours" : "", isGatewayTyped ? "smsGateway" : ""].filter(Boolean);
    const messages = {
      ...(ticks.length ? { rules } : {}), ...(typedQuiet && quiet.start && quiet.end ? { quietHours: quiet } : {}),
      ...(isGatewayTyped && gateway.url ? { smsGateway: { ...gateway, headers: readHeaders(headers) } } : {}),
    };
    try {
      if (mask.length) await save(messages, mask.join(","));
      forget();
      setTrouble("");
      notice.value = t("saved");
    } catch (error) {
      if (error instanceof ChangedMeanwhile) forget();
      setTrouble(error instanceof Error ? error.message : String(error));
    }
  }
  return (
    <form onSubmit={(event) => { void submit(event); }}>
      <table>
        <thead><tr><th>{t("messageWhen")}</th>{CHANNELS.map((channel) => <th key={channel}>{sayChannel(channel)}</th>)}</tr></thead>
        <tbody>{MOMENTS.map((moment) => (
          <tr key={moment}><td>{sayMoment(moment)}</td>{CHANNELS.map((channel) => (
            <td key={channel}><input type="checkbox" aria-label={`${sayMoment(moment)}, ${sayChannel(channel)}`} checked={isOn(rules, moment, channel)} disabled={!mayEdit} onChange={(event) => { turn(moment, channel, event.currentTarget.checked); }} /></td>
          ))}</tr>
        ))}</tbody>
      </table>
      <p class="soft">{t("mostMessages")}</p>
      <div class="pair">
        <Field label={t("quietFrom")}><input type="time" required={!!quiet.end} value={quiet.start} readOnly={!mayEdit} onInput={(event) => { setQuiet({ ...quiet, start: event.currentTarget.value }); }} /></Field>
        <Field label={t("quietUntil")}><input type="time" required={!!quiet.start} value={quiet.end} readOnly={!mayEdit} onInput={(event) => { setQuiet({ ...quiet, end: event.currentTarget.value }); }} /></Field>
      </div>
      <p class="soft">{t("emailHow")}</p>
      <h2>{t("smsGateway")}</h2>
      <Field label={t("gatewayUrl")}><input type="url" value={gateway.url} readOnly={!mayEdit} onInput={(event) => { setGateway({ ...gateway, url: event.currentTarget.value }); }} /></Field>
      <Field label={t("gatewayMethod")}>
        <select value={gateway.method} disabled={!mayEdit} onChange={(event) => { setGateway({ ...gateway, method: event.currentTarget.value }); }}>{METHODS.map((one) => <option key={one} value={one}>{one}</option>)}</select>
      </Field>
      <Field label={t("gatewayHeaders")}><textarea rows={2} value={headers} readOnly={!mayEdit} onInput={(event) => { setHeaders(event.currentTarget.value); }} /></Field>
      <Field label={t("gatewayBody")}><textarea rows={3} value={gateway.body} placeholder='{"to": "{to}", "text": "{text}", "id": "{id}"}' readOnly={!mayEdit} onInput={(event) => { setGateway({ ...gateway, body: event.currentTarget.value }); }} /></Field>
      <Failure words={trouble} />
      {mayEdit && <button type="submit" class="main">{t("save")}</button>}
    </form>
  );
}

interface Draft { text: string; subject: string }

// One text at a time: shown as a customer would get it, changed, and tried. What is typed stays while
// another text is looked at, and when the form above is saved.
function Words({ given, mayEdit, save }: FormProps) {
  const customers = given.language ?? session.value?.organization.language ?? "en";
  const [moment, setMoment] = useState<string>("PLANNED");
  const [channel, setChannel] = useState<string>("EMAIL");
  const [language, setLanguage] = useState<string>(customers);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [to, setTo] = useState("");
  const [trouble, setTrouble] = useState("");
  const [drafts, setDrafts] = useState<Record<string, Draft>>({});
  const which = { moment, channel, language };
  const key = [moment, channel, language].join(" ");
  const own = given.templates.findLast((one) => one.moment === moment && one.channel === channel && one.language === language);
  const { text, subject } = drafts[key] ?? { text: own?.text ?? "", subject: own?.subject ?? "" };
  const type = (typed: Partial<Draft>) => { setDrafts({ ...drafts, [key]: { text, subject, ...typed } }); };
  useEffect(() => {
    send<Preview>("POST", "/settings/messages/preview", which).then(setPreview, (error: unknown) => { setTrouble(String(error)); });
  }, [moment, channel, language, given]);
  const run = async (work: () => Promise<unknown>) => {
    try {
      await work();
      setTrouble("");
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error));
    }
  };
  const keep = () => run(async () => {
    const others = given.templates.filter((one) => one !== own);
    const line = channel === "EMAIL" ? subject.trim() : "";
    const templates = text.trim() || line ? [...others, { ...which, ...(line ? { subject: line } : {}), text: text.trim() ? text : "" }] : others;
    await save({ templates }, "templates");
    setDrafts((all) => Object.fromEntries(Object.entries(all).filter(([one]) => one !== key)));
    notice.value = t("wordsKept");
  });
  const choose = (label: string, value: string, options: readonly string[], say: (one: string) => string, set: (one: string) => void) => (
    <Field label={label}><select value={value} onChange={(event) => { set(event.currentTarget.value); }}>{options.map((one) => <option key={one} value={one}>{say(one)}</option>)}</select></Field>
  );
  return (
    <section aria-label={t("messageWords")}>
      <h2>{t("messageWords")}</h2>
      <div class="pair">
        {choose(t("messageWhen"), moment, MOMENTS, sayMoment, setMoment)}
        {choose(t("messageBy"), channel, CHANNELS, sayChannel, setChannel)}
        {choose(t("language"), language, LANGUAGES, nameOfLanguage, setLanguage)}
      </div>
      {language !== customers && <p class="soft">{t("wordsUnused", { language: nameOfLanguage(customers) })}</p>}
      {preview && <blockquote>{preview.subject && <p><b>{preview.subject}</b></p>}<p>{preview.text}</p>{preview.segments && <p class="soft">{t("segments", { count: preview.segments })}</p>}</blockquote>}
      {mayEdit && <>
        {channel === "EMAIL" && <Field label={t("ownSubject")}><input value={subject} onInput={(event) => { type({ subject: event.currentTarget.value }); }} /></Field>}
        <Field label={t("ownWords")}><textarea rows={3} value={text} onInput={(event) => { type({ text: event.currentTarget.value }); }} /></Field>
        <p class="soft">{"{order} {name} {link} {window} {organization}"}</p>
        <button type="button" onClick={() => { void keep(); }}>{t("keepWords")}</button>
        <Field label={t("testTo")}><input value={to} onInput={(event) => { setTo(event.currentTarget.value); }} /></Field>
        <button type="button" disabled={!to} onClick={() => { void run(async () => { await send("POST", "/settings/messages/test", { ...which, to }); notice.value = t("messageSent"); }); }}>{t("sendTest")}</button>
      </>}
      <Failure words={trouble} />
    </section>
  );
}

interface Suppression { channel: string; reason: string; count: number }
const DECLINED = "the customer wants no e-mail";

// Who is sent no more e-mail, where there is anybody, and the way back. Addresses are not kept: one is typed.
function Suppressed({ mayEdit }: { mayEdit: boolean }) {
  const [found, setFound] = useState<Suppression[]>([]);
  const [isShown, setShown] = useState(false); // and stays so, while somebody works in it
  const heading = useRef<HTMLHeadingElement>(null);
  const [email, setEmail] = useState("");
  const [trouble, setTrouble] = useState("");
  const read = () => get<{ suppressions: Suppression[] }>("/messages/suppressions").then(({ suppressions }) => {
    setFound(suppressions);
    setShown((was) => was || suppressions.length > 0);
  });
  useEffect(() => { read().catch(report); }, []);
  const count = (isDeclined: boolean) => found.filter((one) => (one.reason === DECLINED) === isDeclined).reduce((sum, one) => sum + one.count, 0);
  async function lift(address: string) {
    try {
      const { lifted } = await send<{ lifted: number }>("DELETE", `/messages/suppressions${address && `?query.email=${encodeURIComponent(address)}`}`);
      setTrouble(lifted ? "" : t("notSuppressed"));
      if (lifted) {
        setEmail("");
        notice.value = t("saved");
      }
      await read();
      if (!address) heading.current?.focus(); // the button has gone with what it was for
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error));
    }
  }
  const [unknown, declined] = [count(false), count(true)];
  if (!isShown) return null;
  return (
    <section aria-label={t("noMoreEmail")}>
      <h2 ref={heading} tabIndex={-1}>{t("noMoreEmail")}</h2>
      {unknown > 0 && <p>{t("unknownMailboxes", { count: unknown })}</p>}
      {unknown > 0 && mayEdit && <button type="button" onClick={() => { void lift(""); }}>{t("writeToThemAgain")}</button>}
      {declined > 0 && <p>{t("declinedEmail", { count: declined })}</p>}
      {mayEdit && <form onSubmit={(event) => { event.preventDefault(); void lift(email.trim()); }}>
        <Field label={t("suppressedAddress")}><input type="email" required value={email} onInput={(event) => { setEmail(event.currentTarget.value); }} /></Field>
        <button type="submit">{t("writeToItAgain")}</button>
      </form>}
      <Failure words={trouble} />
    </section>
  );
}
