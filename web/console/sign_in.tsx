// The first page: a member signs in with an e-mail address and a password, or a program's
// credentials are used. It covers what is open when a session has ended by itself.
import { useEffect, useRef, useState } from "preact/hooks";
import { MEMBERS, Refusal } from "../kit/http";
import { t } from "../kit/words";
import { Failure, Field } from "./dialogs";
import { hasPasskeys } from "./passkeys";
import { ForgotPassword, askWays } from "./password_reset";
import { isOver, session, signInByPasskey, signInClient, signInMember } from "./session";

const named = { name: "username", autocomplete: "username", required: true, spellcheck: false, autocapitalize: "off", autofocus: true } as const;

export function SignInPage() {
  return <main class="page narrow"><SignIn /></main>;
}

// Nothing behind it can be seen or used, and it goes when somebody has signed in.
export function SignInAgain() {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => { element.current?.showModal(); }, []);
  return (
    <dialog ref={element} class="cover" aria-labelledby="sign-in"
      onCancel={(event) => { event.preventDefault(); }}
      onClose={(event) => { if (event.currentTarget.isConnected) event.currentTarget.showModal(); }}>
      <SignIn />
    </dialog>
  );
}

function SignIn() {
  const [byCredentials, setByCredentials] = useState(isOver.value && !session.value?.member);
  const [first, setFirst] = useState(isOver.value ? session.value?.member?.email ?? "" : "");
  const [secret, setSecret] = useState("");
  const [organizations, setOrganizations] = useState<string[]>([]);
  const [organization, setOrganization] = useState("");
  const [wantsCode, setWantsCode] = useState(false);
  const [code, setCode] = useState("");
  const [trouble, setTrouble] = useState(isOver.value ? t("signedOut") : "");
  const [isBusy, setBusy] = useState(false);
  const [hasProvider, setHasProvider] = useState(false);
  const [hasForgotten, setForgotten] = useState(false);
  useEffect(() => {
    askWays().then(({ openIdConnect }) => setHasProvider(!!openIdConnect), () => setHasProvider(false));
  }, []);

  const submit = (event: Event) => {
    event.preventDefault();
    void attempt(() => byCredentials ? signInClient(first.trim(), secret.trim()) : signInMember(first.trim(), secret, organization, code.trim()), byCredentials ? t("wrongCredentials") : wantsCode ? t("wrongCode") : t("wrongPassword"));
  };

  const submitPasskey = () => attempt(async () => { if (!await signInByPasskey(organization)) setTrouble(t("passkeyFailed")); }, t("passkeyFailed"));

  async function attempt(enter: () => Promise<void>, wrong: string) {
    setBusy(true);
    setTrouble("");
    try {
      await enter();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const choices = error.violations.filter((one) => one.type === "organization").map((one) => one.subject ?? "");
      if (choices.length) {
        setOrganizations(choices);
        setOrganization(choices[0] ?? "");
      }
      const asksForCode = error.violations.some((one) => one.type === "secondFactor");
      if (asksForCode) setWantsCode(true);
      setTrouble(asksForCode ? "" : error.status === 401 ? wrong : error.message);
    } finally {
      setBusy(false);
    }
  }

  const swap = (event: Event) => {
    event.preventDefault();
    setByCredentials(!byCredentials);
    setFirst("");
    setSecret("");
    setWantsCode(false);
    setCode("");
    setTrouble("");
  };

  const forget = (event: Event) => {
    event.preventDefault();
    setForgotten(!hasForgotten);
    setSecret("");
    setTrouble("");
  };

  if (hasForgotten) return <ForgotPassword known={first.trim()} back={forget} />;
  return (
    <>
      <h1 id="sign-in">{t("signIn")}</h1>
      <Failure words={trouble} />
      <form method="post" onSubmit={submit} key={String(byCredentials)}>
        <Field label={byCredentials ? t("clientId") : t("email")}>
          {byCredentials
            ? <input type="text" {...named} value={first} onInput={(event) => setFirst(event.currentTarget.value)} />
            : <input type="email" {...named} value={first} onInput={(event) => setFirst(event.currentTarget.value)} />}
        </Field>
        <Field label={byCredentials ? t("clientSecret") : t("password")}>
          <input name="password" type="password" autocomplete="current-password" required value={secret} onInput={(event) => setSecret(event.currentTarget.value)} />
        </Field>
        {wantsCode && (
          <>
            <Field label={t("code")}>
              <input name="code" autocomplete="one-time-code" required autofocus spellcheck={false} autocapitalize="off" aria-describedby="code-hint" value={code} onInput={(event) => setCode(event.currentTarget.value)} />
            </Field>
            <p id="code-hint" class="soft">{t("codeHint")}</p>
          </>
        )}
        {organizations.length > 0 && (
          <Field label={t("organizationName")}>
            <select value={organization} onChange={(event) => setOrganization(event.currentTarget.value)}>{organizations.map((one) => <option key={one}>{one}</option>)}</select>
          </Field>
        )}
        <button type="submit" class="main" disabled={isBusy}>{isBusy ? t("signingIn") : t("signIn")}</button>
      </form>
      {!byCredentials && <p><a href="#/" onClick={forget}>{t("forgotPassword")}</a></p>}
      {!byCredentials && hasPasskeys() && <p><button type="button" disabled={isBusy} onClick={() => void submitPasskey()}>{t("usePasskey")}</button></p>}
      {hasProvider && <p><a href={`${MEMBERS}/oidc`} {...(isOver.value && { target: "_blank" })}>{t("useOidc")}</a></p>}
      <p class="soft">{t("signInHint")}</p>
      <p><a href="#/" onClick={swap}>{byCredentials ? t("usePassword") : t("useCredentials")}</a></p>
    </>
  );
}
