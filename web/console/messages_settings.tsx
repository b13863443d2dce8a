// What customers are told, when, by which way, and in which words.
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { locale, t } from "../kit/words";
import { notice, report } from "./day";
import { Failure, Field } from "./dialogs";
import { get, isOwner, isViewer, send } from "./session";

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

export function MessagesTab() {
  const [given, setGiven] = useState<Settings | null>(null);
  useEffect(() => { get<Settings>("/settings/messages").then(setGiven, report); }, []);
  if (!given) return <p aria-live="polite">{t("loading")}</p>;
  return <><MessagesForm given={given} mayEdit={isOwner.value && !isViewer.value} saved={setGiven} /><Words given={given} mayEdit={isOwner.value && !isViewer.value} saved={setGiven} /></>;
}

// Each language by its name in the language of the console.
export const nameOfLanguage = (code: string) => new Intl.DisplayNames([locale.value], { type: "language" }).of(code) ?? code;

interface FormProps { given: Settings; mayEdit: boolean; saved: (settings: Settings) => void }

function isOn(rules: Settings["rules"], moment: Moment, channel: Channel): boolean {
  return rules.findLast((one) => one.moment === moment && one.channel === channel)?.enabled ?? false;
}

// Headers are written one a line, as "Name: value".
function readHeaders(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.includes(":"));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(":")).trim(), line.slice(line.indexOf(":") + 1).trim()]));
}

function MessagesForm({ given, mayEdit, saved }: FormProps) {
  const [rules, setRules] = useState(given.rules);
  const [quiet, setQuiet] = useState(given.quietHours ?? { start: "", end: "" });
  const [gateway, setGateway] = useState(given.smsGateway ?? { method: "POST", url: "", headers: {}, body: "" });
  const [headers, setHeaders] = useState(Object.entries(gateway.headers).map(([name, value]) => `${name}: ${value}`).join("\n"));
  const [trouble, setTrouble] = useState("");
  const turn = (moment: Moment, channel: Channel, enabled: boolean) => {
    setRules([...rules.filter((one) => one.moment !== moment || one.channel !== channel), { moment, channel, enabled }]);
  };
  async function submit(event: Event) {
    event.preventDefault();
    const messages = {
      rules, ...(quiet.start && quiet.end ? { quietHours: quiet } : {}), ...(gateway.url ? { smsGateway: { ...gateway, headers: readHeaders(headers) } } : {}),
    };
    try {
      saved(await send<Settings>("PATCH", "/settings/messages", { messages, updateMask: "rules,quietHours,smsGateway" }));
      setTrouble("");
      notice.value = t("saved");
    } catch (error) {
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

// One text at a time: shown as a customer would get it, changed, and tried.
function Words({ given, mayEdit, saved }: FormProps) {
  const [moment, setMoment] = useState<string>("PLANNED");
  const [channel, setChannel] = useState<string>("EMAIL");
  const [language, setLanguage] = useState<string>(given.language ?? "en");
  const [preview, setPreview] = useState<Preview | null>(null);
  const [to, setTo] = useState("");
  const [trouble, setTrouble] = useState("");
  const which = { moment, channel, language };
  const own = given.templates.findLast((one) => one.moment === moment && one.channel === channel && one.language === language);
  const [text, setText] = useState("");
  const [subject, setSubject] = useState("");
  // What is typed stays when the form above is saved. Before the next key press, hence no useEffect.
  useLayoutEffect(() => { setText(own?.text ?? ""); }, [moment, channel, language, own?.text]);
  useLayoutEffect(() => { setSubject(own?.subject ?? ""); }, [moment, channel, language, own?.subject]);
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
    const templates = text.trim() ? [...others, { ...which, ...(channel === "EMAIL" && subject.trim() ? { subject } : {}), text }] : others;
    saved(await send<Settings>("PATCH", "/settings/messages", { messages: { templates }, updateMask: "templates" }));
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
      {preview && <blockquote>{preview.subject && <p><b>{preview.subject}</b></p>}<p>{preview.text}</p>{preview.segments && <p class="soft">{t("segments", { count: preview.segments })}</p>}</blockquote>}
      {mayEdit && <>
        {channel === "EMAIL" && <Field label={t("ownSubject")}><input value={subject} onInput={(event) => { setSubject(event.currentTarget.value); }} /></Field>}
        <Field label={t("ownWords")}><textarea rows={3} value={text} onInput={(event) => { setText(event.currentTarget.value); }} /></Field>
        <p class="soft">{"{order} {name} {link} {window} {organization}"}</p>
        <button type="button" onClick={() => { void keep(); }}>{t("keepWords")}</button>
        <Field label={t("testTo")}><input value={to} onInput={(event) => { setTo(event.currentTarget.value); }} /></Field>
        <button type="button" disabled={!to} onClick={() => { void run(async () => { await send("POST", "/settings/messages/test", { ...which, to }); notice.value = t("messageSent"); }); }}>{t("sendTest")}</button>
      </>}
      <Failure words={trouble} />
    </section>
  );
}
