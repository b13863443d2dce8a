// Taking up an invite, and what is shown when nobody is signed in.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { session, unsentCount } from "./app";
import { exportJournal } from "./export";
import { InstallHint } from "./install";
import { hasNetwork, isSignedOut, nameOf } from "./pumps";
import { acceptInvite, isUnreached, lookAtInvite, type Invite } from "./signing_in";
import { t } from "./words";

const INVITE = /^\/driver\/invite\/([^/]+)$/;

const LOOK_AGAIN_MS = 5_000; // no browser says when a service is reached again

export const inviteToken = signal(INVITE.exec(location.pathname)?.[1] ?? "");

function deviceName(): string {
  const [found] = /iPhone|iPad|Android/.exec(navigator.userAgent) ?? [];
  return found ?? t("deviceName");
}

export function SignUp({ token, done }: { token: string; done: () => void }) {
  const [invite, setInvite] = useState<Invite | null>(null);
  const [trouble, setTrouble] = useState("");
  const [device, setDevice] = useState(deviceName());
  const [isBusy, setBusy] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const fail = (error: unknown) => { setTrouble(isUnreached(error) ? t("noNetwork") : error instanceof Error ? error.message : String(error)); };
  const look = () => {
    lookAtInvite(token).then((found) => { setInvite(found); setWaiting(false); }, (error: unknown) => { setWaiting(isUnreached(error)); if (!isUnreached(error)) fail(error); });
  };
  useEffect(() => { if (!invite) look(); }, [hasNetwork.value]);
  useEffect(() => {
    if (!isWaiting) return;
    const again = setInterval(look, LOOK_AGAIN_MS);
    return () => { clearInterval(again); };
  }, [isWaiting]);
  const [isPutAside, putAside] = useState(false);
  const waiting = session.value && unsentCount.value > 0 ? session.value.driver : null;
  const accept = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await acceptInvite(token, device.trim());
      done();
    } catch (error) {
      fail(error);
      setBusy(false);
    }
  };
  if (!invite) {
    if (isWaiting) return <><h1>{t("inviteUnreached")}</h1><p>{t("inviteWaits")}</p><p class="row"><button type="button" onClick={look}>{t("again")}</button></p><WayIn done={done} /></>;
    return trouble ? <><h1>{t("inviteBad")}</h1><p role="alert" class="alert">{trouble}</p><p>{t("inviteAsk")}</p><WayIn done={done} /></> : <p>{t("loading")}</p>;
  }
  return (
    <>
      <h1>{t("hello", { name: invite.driver.firstName })}</h1>
      <p>{t("invitesYou", { organization: invite.organization.name })}</p>
      <InstallHint />
      {waiting && waiting.id !== invite.driver.id && !isPutAside
        ? <OtherWaits name={nameOf(waiting)} goOn={() => { putAside(true); }} />
        : (
          <form onSubmit={(event) => { void accept(event); }}>
            <label>{t("device")}<input value={device} maxLength={100} onInput={(event) => { setDevice(event.currentTarget.value); }} /></label>
            {trouble && <p role="alert" class="alert">{trouble}</p>}
            <button class="main" disabled={isBusy}>{isBusy ? t("accepting") : t("accept")}</button>
          </form>
        )}
    </>
  );
}

// Whoever is signed in already opens the app, which shows what it has kept.
function WayIn({ done }: { done: () => void }) {
  return session.value && <p><button type="button" class="main" onClick={done}>{t("openApp")}</button></p>;
}

// Nothing is lost by going on, but where the session is over it is sent by nobody else either.
function OtherWaits({ name, goOn }: { name: string; goOn: () => void }) {
  return (
    <>
      <p role="alert" class="alert">{t(isSignedOut.value ? "otherDriverOut" : "otherDriverWaits", { count: unsentCount.value, name })}</p>
      <p class="row">
        <button type="button" onClick={() => { void exportJournal(); }}>{t("exportJournal")}</button>
        <button type="button" class="main" onClick={goOn}>{t("putAside")}</button>
      </p>
    </>
  );
}

export function NobodySignedIn() {
  return <><h1>{t("notSignedIn")}</h1><p>{t("notSignedInHint")}</p><InstallHint /></>;
}
