// What an organization says of itself: to its customers, and where its routes begin.
import { useEffect, useRef, useState } from "preact/hooks";
import { Refusal } from "../kit/http";
import { phoneOf } from "../kit/phones";
import { locale, t } from "../kit/words";
import { CheckedField, type Troubles } from "./checked_field";
import { notice, report } from "./day";
import { LANGUAGES, nameOfLanguage } from "./messages_settings";
import { readPlace, sayPlace } from "./place";
import { get, isOwner, isViewer, send, session, type Organization } from "./session";

const MOST_LOGO_BYTES = 1024 * 1024;
const PICTURES = "image/png,image/jpeg";

// What the server refused, by the fields of the form; null where it is about none of them.
function troublesOf(error: unknown): Troubles | null {
  if (!(error instanceof Refusal) || !error.violations.length) return null;
  return Object.fromEntries(error.violations.map(({ field = "", description }) => [/^organization\.(\w+)/.exec(field)?.[1] ?? field, description]));
}

export function OrganizationTab() {
  const [shown, setShown] = useState<Organization | null>(null);
  useEffect(() => { get<Organization>("/organization").then(setShown, report); }, []);
  if (!shown) return <p aria-live="polite">{t("loading")}</p>;
  const mayEdit = isOwner.value && !isViewer.value;
  const saved = (answer: Organization) => {
    if (session.value) session.value = { ...session.value, organization: { ...answer, timezone: session.value.organization.timezone } };
    setShown(answer);
    notice.value = t("saved");
  };
  return (
    <>
      <OrganizationForm key={shown.id} given={shown} mayEdit={mayEdit} saved={saved} />
      <Logo given={shown} mayEdit={mayEdit} saved={saved} />
    </>
  );
}

interface FormProps { given: Organization; mayEdit: boolean; saved: (organization: Organization) => void }

function OrganizationForm({ given, mayEdit, saved }: FormProps) {
  const [name, setName] = useState(given.name);
  const [phone, setPhone] = useState(given.phone ?? "");
  const [color, setColor] = useState(given.color ?? "");
  const [start, setStart] = useState(sayPlace(given.start));
  const [language, setLanguage] = useState(given.language);
  const [sharing, setSharing] = useState(given.shareDriverPosition);
  const [troubles, setTroubles] = useState<Troubles>({});
  async function submit(event: Event) {
    event.preventDefault();
    const place = start.trim() ? readPlace(start, given.start) : undefined;
    setTroubles(place === null ? { start: t("badPlace") } : {});
    if (place === null) return;
    const mask = ["name", "phone", "color", "language", "shareDriverPosition", ...(start === sayPlace(given.start) ? [] : ["start"])];
    const organization = { name, phone: phoneOf(phone), color, language, shareDriverPosition: sharing, ...(place ? { start: place } : {}) };
    await send<Organization>("PATCH", "/organization", { organization, updateMask: mask.join(",") }).then(saved, (error: unknown) => {
      const found = troublesOf(error);
      if (found && Object.keys(found).every((field) => mask.includes(field))) setTroubles(found);
      else report(error);
    });
  }
  return (
    <form onSubmit={(event) => { void submit(event); }}>
      <CheckedField name="name" label={t("name")} troubles={troubles}>{(said) => <input {...said} value={name} required readOnly={!mayEdit} onInput={(event) => setName(event.currentTarget.value)} />}</CheckedField>
      <CheckedField name="phone" label={t("phone")} troubles={troubles}>{(said) => <input {...said} type="tel" value={phone} placeholder="+14105550100" readOnly={!mayEdit} onInput={(event) => setPhone(event.currentTarget.value)} />}</CheckedField>
      <CheckedField name="color" label={t("color")} troubles={troubles}>{(said) => <input {...said} value={color} placeholder="#0f766e" readOnly={!mayEdit} onInput={(event) => setColor(event.currentTarget.value)} />}</CheckedField>
      <CheckedField name="start" label={t("start")} troubles={troubles} hint={t("startHint")}>{(said) => <input {...said} value={start} readOnly={!mayEdit} onInput={(event) => setStart(event.currentTarget.value)} />}</CheckedField>
      <CheckedField name="language" label={t("customersLanguage")} troubles={troubles} hint={t("customersLanguageHint")}>{(said) => (
        <select {...said} value={language} disabled={!mayEdit} onChange={(event) => setLanguage(event.currentTarget.value)}>
          {LANGUAGES.map((code) => <option key={code} value={code} lang={locale.value}>{nameOfLanguage(code)}</option>)}
        </select>
      )}</CheckedField>
      <CheckedField name="shareDriverPosition" label={t("sharePosition")} troubles={troubles} hint={t("sharePositionHint")}>{(said) => (
        <select {...said} value={sharing} disabled={!mayEdit} onChange={(event) => setSharing(event.currentTarget.value)}>
          <option value="NEVER">{t("shareNever")}</option>
          <option value="NEXT_STOP">{t("shareNextStop")}</option>
        </select>
      )}</CheckedField>
      <p class="soft">{t("timezone")}: {given.timezone}</p>
      {mayEdit && <button type="submit" class="main">{t("save")}</button>}
    </form>
  );
}

// The picture is kept as soon as it is chosen.
function Logo({ given, mayEdit, saved }: FormProps) {
  const [trouble, setTrouble] = useState("");
  const [isBusy, setBusy] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  async function change(step: () => Promise<Organization>) {
    setTrouble("");
    setBusy(true);
    await step().then(saved, (error: unknown) => { if (error instanceof Refusal && error.kind === "refused") setTrouble(error.message); else report(error); }).finally(() => setBusy(false));
    if (chooser.current) chooser.current.value = ""; // the same file can be chosen once more
  }
  function upload(file: File | undefined) {
    if (!file) return;
    if (file.size > MOST_LOGO_BYTES) setTrouble(t("logoTooLarge"));
    else void change(() => send<Organization>("PUT", "/organization/logo", file));
  }
  // The address names the service as its customers know it; the picture is here, too.
  const source = given.logoUrl && new URL(given.logoUrl, location.href).pathname;
  if (!source && !mayEdit) return null;
  return (
    <section aria-label={t("logo")} class="logo">
      <h2>{t("logo")}</h2>
      {source ? <p><img src={source} alt={t("logoOf", { name: given.name })} /></p> : <p class="soft">{t("noLogo")}</p>}
      {mayEdit && <>
        <CheckedField name="logo" label={t("logoFile")} troubles={trouble ? { logo: trouble } : {}} hint={t("logoHint")}>{(said) => (
          <input {...said} ref={chooser} type="file" accept={PICTURES} disabled={isBusy} onChange={(event) => upload(event.currentTarget.files?.[0])} />
        )}</CheckedField>
        {source && <button type="button" disabled={isBusy} onClick={() => void change(() => send<Organization>("DELETE", "/organization/logo"))}>{t("removeLogo")}</button>}
      </>}
    </section>
  );
}
