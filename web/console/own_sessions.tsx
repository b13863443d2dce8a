// A member's own password, and the browsers in which they are signed in.
import { useEffect, useState } from "preact/hooks";
import { MEMBERS, ask } from "../kit/http";
import { t } from "../kit/words";
import { notice, report } from "./day";
import { Field } from "./dialogs";
import { session } from "./session";

interface Browser { id: string; createdAt: string; lastSeenAt: string; current: boolean }

async function tell<T>(path: string, body?: unknown, method?: string): Promise<T> {
  const asking = { base: MEMBERS, caller: session.value?.caller ?? {}, ...(body === undefined ? {} : { body }), ...(method ? { method } : {}) };
  return (await ask<T>(path, asking)).body;
}

const NOTHING = { password: "", newPassword: "", code: "" };

export function PasswordChange({ takesCode, changed }: { takesCode: boolean; changed: () => void }) {
  const [given, setGiven] = useState(NOTHING);
  const field = (name: keyof typeof NOTHING) => ({ value: given[name], onInput: (event: { currentTarget: HTMLInputElement }) => { setGiven({ ...given, [name]: event.currentTarget.value }); } });
  async function send(event: Event) {
    event.preventDefault();
    await tell("/password", given).then(() => { notice.value = t("passwordChanged"); setGiven(NOTHING); changed(); }, report);
  }
  return (
    <form aria-label={t("changePassword")} onSubmit={(event) => { void send(event); }}>
      <Field label={t("presentPassword")}><input type="password" autocomplete="current-password" required {...field("password")} /></Field>
      <Field label={t("newPassword")}><input type="password" autocomplete="new-password" required minLength={10} {...field("newPassword")} /></Field>
      {takesCode && <Field label={t("code")}><input autocomplete="one-time-code" required {...field("code")} /></Field>}
      <button type="submit">{t("changePassword")}</button>
    </form>
  );
}

export function Browsers({ version }: { version: number }) {
  const [listed, setListed] = useState<Browser[]>([]);
  const read = () => tell<{ sessions: Browser[] }>("/sessions").then(({ sessions }) => { setListed(sessions); }, report);
  useEffect(() => { void read(); }, [version]);
  const end = (one: Browser) => tell(`/sessions/${one.id}`, undefined, "DELETE").then(read, report);
  return (
    <table aria-label={t("browsers")}>
      <thead><tr><th>{t("signedInOn")}</th><th>{t("lastSeen")}</th><th /></tr></thead>
      <tbody>{listed.map((one) => (
        <tr key={one.id}>
          <td>{new Date(one.createdAt).toLocaleString()}</td>
          <td class="soft">{one.current ? t("thisBrowser") : new Date(one.lastSeenAt).toLocaleString()}</td>
          <td>{!one.current && <button type="button" class="quiet danger" aria-label={`${t("signOut")}, ${new Date(one.createdAt).toLocaleString()}`} onClick={() => void end(one)}>{t("signOut")}</button>}</td>
        </tr>
      ))}</tbody>
    </table>
  );
}
