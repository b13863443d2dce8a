// What proves a member beside the password: an app that shows codes, codes on paper, passkeys.
import { useEffect, useState } from "preact/hooks";
import { MEMBERS, ask } from "../kit/http";
import { t } from "../kit/words";
import { complain, notice, report } from "./day";
import { Field } from "./dialogs";
import { Browsers, PasswordChange } from "./own_sessions";
import { hasPasskeys, makePasskey, type NoPasskey } from "./passkeys";
import { QrCode } from "./people";
import { session } from "./session";

interface Passkey { id: string; name: string; lastUsedAt?: string }
interface Factors { hasPassword: boolean; totp: boolean; recoveryCodesLeft: number; passkeys: Passkey[] }

async function tell<T>(path: string, body?: unknown): Promise<T> {
  const asking = { base: MEMBERS, caller: session.value?.caller ?? {}, ...(body === undefined ? {} : { body }) };
  return (await ask<T>(`/second-factors${path}`, asking)).body;
}

export function SignInTab() {
  const [factors, setFactors] = useState<Factors | null>(null);
  const [codes, setCodes] = useState<string[]>([]);
  const [version, setVersion] = useState(0);
  const read = () => tell<Factors>("").then(setFactors, report);
  useEffect(() => { void read(); }, []);
  if (!factors) return <p role="status">{t("loading")}</p>;
  const browsers = <><h2>{t("browsers")}</h2><Browsers version={version} /></>;
  if (!factors.hasPassword) return <><p>{t("factorsElsewhere")}</p>{browsers}</>;
  return (
    <>
      <h2>{t("password")}</h2>
      <PasswordChange takesCode={factors.totp} changed={() => { setVersion(version + 1); }} />
      <h2>{t("totpTitle")}</h2>
      <p>{factors.totp ? t("totpOn", { count: factors.recoveryCodesLeft }) : t("totpOff")}</p>
      {codes.length > 0 && <RecoveryCodes codes={codes} close={() => { setCodes([]); }} />}
      {factors.totp
        ? <TotpOn changed={read} show={setCodes} />
        : <TotpSetUp done={(made) => { setCodes(made); void read(); }} />}
      <h2>{t("passkeys")}</h2>
      <Passkeys listed={factors.passkeys} takesCode={factors.totp} changed={read} />
      {browsers}
    </>
  );
}

function RecoveryCodes({ codes, close }: { codes: string[]; close: () => void }) {
  return (
    <section class="note" aria-label={t("recoveryTitle")}>
      <h3>{t("recoveryTitle")}</h3>
      <p>{t("recoveryOnce")}</p>
      <ul class="codes">{codes.map((code) => <li key={code}><code>{code}</code></li>)}</ul>
      <button type="button" onClick={close}>{t("close")}</button>
    </section>
  );
}

interface Proof { password: string; code: string }
interface ProofForm { action: string; label?: string; takesCode: boolean; submit: (proof: Proof) => Promise<void>; danger?: boolean }

const NOTHING = { password: "", code: "" };

// What guards the account is changed by who could sign in now, not by whoever finds the page open.
function PasswordForm({ action, label, takesCode, submit, danger }: ProofForm) {
  const [proof, setProof] = useState(NOTHING);
  const [isOpen, setOpen] = useState(false);
  async function send(event: Event) {
    event.preventDefault();
    await submit(proof).then(() => { setOpen(false); }, report);
    setProof(NOTHING);
  }
  if (!isOpen) return <p><button type="button" class={danger ? "quiet danger" : ""} aria-label={label ?? action} onClick={() => { setOpen(true); }}>{action}</button></p>;
  return (
    <form onSubmit={(event) => { void send(event); }}>
      <Field label={t("passwordAgain")}><input type="password" autocomplete="current-password" required autofocus value={proof.password} onInput={(event) => { setProof({ ...proof, password: event.currentTarget.value }); }} /></Field>
      {takesCode && <Field label={t("code")}><input autocomplete="one-time-code" required value={proof.code} onInput={(event) => { setProof({ ...proof, code: event.currentTarget.value }); }} /></Field>}
      <div class="buttons">
        <button type="button" onClick={() => { setOpen(false); }}>{t("cancel")}</button>
        <button type="submit" class="main" aria-label={label ?? action}>{action}</button>
      </div>
    </form>
  );
}

function TotpSetUp({ done }: { done: (codes: string[]) => void }) {
  const [begun, setBegun] = useState<{ secret: string; uri: string } | null>(null);
  const [code, setCode] = useState("");
  if (!begun) return <PasswordForm takesCode={false} action={t("setUp")} submit={async (proof) => { setBegun(await tell("/totp", proof)); }} />;
  async function confirm(event: Event) {
    event.preventDefault();
    await tell<{ recoveryCodes: string[] }>("/totp/confirm", { code }).then((made) => { done(made.recoveryCodes); }, report);
  }
  return (
    <form onSubmit={(event) => { void confirm(event); }}>
      <p>{t("totpScan")}</p>
      <QrCode text={begun.uri} label={t("totpQr")} />
      <Field label={t("secret")}><input readOnly value={begun.secret} onFocus={(event) => { event.currentTarget.select(); }} /></Field>
      <Field label={t("code")}><input inputMode="numeric" autocomplete="one-time-code" required value={code} onInput={(event) => { setCode(event.currentTarget.value); }} /></Field>
      <button type="submit" class="main">{t("confirm")}</button>
    </form>
  );
}

function TotpOn({ changed, show }: { changed: () => Promise<void>; show: (codes: string[]) => void }) {
  return (
    <>
      <PasswordForm takesCode action={t("newRecoveryCodes")} submit={async (proof) => { show((await tell<{ recoveryCodes: string[] }>("/recovery-codes", proof)).recoveryCodes); await changed(); }} />
      <PasswordForm takesCode danger action={t("turnOff")} submit={async (proof) => { await tell("/totp/remove", proof); show([]); await changed(); }} />
    </>
  );
}

const WHY_NONE: Record<NoPasskey, () => string> = {
  unsupported: () => t("passkeyUnsupported"), known: () => t("passkeyKnown"), unconfirmed: () => t("passkeyNotMade"),
};

function Passkeys({ listed, takesCode, changed }: { listed: Passkey[]; takesCode: boolean; changed: () => Promise<void> }) {
  const [name, setName] = useState("");
  async function add(proof: Proof) {
    notice.value = "";
    if (!hasPasskeys()) return complain(WHY_NONE.unsupported()); // before a recovery code is used up
    const { options } = await tell<{ options: string }>("/passkey-options", proof);
    try {
      const { credential, why } = await makePasskey(options);
      if (why) return complain(WHY_NONE[why]());
      await tell("/passkeys", { name, credential });
      setName("");
      notice.value = t("passkeyAdded");
    } finally {
      await changed(); // also what recovery codes are left
    }
  }
  const remove = async (one: Passkey, proof: Proof) => { await tell(`/passkeys/${one.id}/remove`, proof); await changed(); };
  return (
    <>
      {!listed.length && <p class="soft">{t("noPasskeys")}</p>}
      {listed.length > 0 && (
        <table>
          <thead><tr><th>{t("name")}</th><th>{t("lastUsed")}</th><th /></tr></thead>
          <tbody>{listed.map((one) => (
            <tr key={one.id}><td>{one.name}</td><td class="soft">{one.lastUsedAt ? new Date(one.lastUsedAt).toLocaleString() : "–"}</td>
              <td><PasswordForm danger takesCode={takesCode} action={t("remove")} label={`${t("remove")} ${one.name}`} submit={(proof) => remove(one, proof)} /></td></tr>
          ))}</tbody>
        </table>
      )}
      <Field label={t("passkeyName")}><input value={name} maxLength={100} onInput={(event) => { setName(event.currentTarget.value); }} /></Field>
      <PasswordForm takesCode={takesCode} action={t("addPasskey")} submit={add} />
    </>
  );
}
