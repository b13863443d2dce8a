// A forgotten password: a letter with a link where the installation sends mail, and what to do where
// it sends none. What is answered never tells whether somebody is a member.
import { useEffect, useState } from "preact/hooks";
import { MEMBERS, Refusal, ask, wordsOf } from "../kit/http";
import { t } from "../kit/words";
import { Failure, Field } from "./dialogs";

export interface SignInWays { openIdConnect?: boolean; passwordResetMail?: boolean }

export const askWays = async (): Promise<SignInWays> => (await ask<SignInWays>("/sign-in", { base: MEMBERS })).body;

export const requestReset = (email: string) => ask("/password-resets", { base: MEMBERS, body: { email } });

// Whether links go out by mail; not known until the service has said so.
export function useResetMail(): boolean | undefined {
  const [sendsMail, setSendsMail] = useState<boolean | undefined>();
  useEffect(() => { askWays().then(({ passwordResetMail }) => { setSendsMail(!!passwordResetMail); }, () => { setSendsMail(false); }); }, []);
  return sendsMail;
}

export function PasswordResetWords({ sendsMail, email }: { sendsMail: boolean | undefined; email: string }) {
  if (sendsMail === undefined) return <p role="status" class="soft">{t("loading")}</p>;
  if (sendsMail) return <p class="soft">{t("resetHint")}</p>;
  return <><p>{t("resetNoMail")}</p><p><code>roundsman member reset-password {email || "ann@example.com"}</code></p></>;
}

export function ForgotPassword({ known, back }: { known: string; back: (event: Event) => void }) {
  const sendsMail = useResetMail();
  const [email, setEmail] = useState(known);
  const [sentTo, setSentTo] = useState("");
  const [trouble, setTrouble] = useState("");
  const [isBusy, setBusy] = useState(false);
  async function submit(event: Event) {
    event.preventDefault();
    setBusy(true);
    setTrouble("");
    setSentTo("");
    try {
      await requestReset(email.trim());
      setSentTo(email.trim());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setTrouble(wordsOf(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      <h1 id="sign-in">{t("forgottenPassword")}</h1>
      <Failure words={trouble} />
      <PasswordResetWords sendsMail={sendsMail} email={known} />
      {sendsMail && (
        <form onSubmit={(event) => { void submit(event); }}>
          <Field label={t("email")}>
            <input type="email" name="username" autocomplete="username" required autofocus spellcheck={false} autocapitalize="off" value={email} onInput={(event) => { setEmail(event.currentTarget.value); }} />
          </Field>
          <button type="submit" class="main" disabled={isBusy}>{t("sendResetLink")}</button>
        </form>
      )}
      <div role="status">{sentTo && <p>{t("resetSent", { email: sentTo })}</p>}</div>
      <p><a href="#/" onClick={back}>{t("backToSignIn")}</a></p>
    </>
  );
}
