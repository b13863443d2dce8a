// Every action with what became of it, and the way out.
import { useEffect, useState } from "preact/hooks";
import { sayTime } from "../kit/times";
import { actions, choices, files, keepChoice, putAway, readSession, sendNow, session, settled, unreadActions, unreadFiles } from "./app";
import { exportJournal } from "./export";
import { whyOf, wordsOf } from "./kept";
import { MAP_APPS } from "./map_links";
import { BackTo } from "./route_page";
import { routeUnderWay } from "./position";
import { aside, isSignedOut, nameOf } from "./pumps";
import { PushPart } from "./push_part";
import { zone } from "./routes_page";
import type { Action, Result } from "./shapes";
import { signOut } from "./signing_in";
import type { Settled, StoredAction } from "./stored";
import { TrackerPart } from "./tracker";
import { locale, t } from "./words";

interface Line { action: Action; name: string | undefined; state: string; why: string; isUnread: boolean }

const STATES = { APPLIED: "stateSent", KEPT: "stateKept", REFUSED: "stateRefused" } as const;
const MOST_SHOWN = 200;

// Whether what the answer waited for, a picture, has arrived since.
const isHere = ({ uploadId }: Action, { reason }: Result) =>
  !!uploadId && reason === "WAITING" && files.value.every((file) => file.uploadId !== uploadId || file.isComplete);

const troubledFileOf = ({ uploadId }: Action) => files.value.find((file) => file.uploadId === uploadId && file.trouble);

// A picture that the service does not take is refused, though what named it waits for it there.
function lineOf({ action, name, result, id }: Settled): Line {
  const file = troubledFileOf(action);
  const isUnread = unreadActions.value.includes(id) || (!!file && unreadFiles.value.includes(file.uploadId));
  if (file && result.reason === "WAITING") return { action, name, state: t("stateRefused"), why: file.trouble, isUnread };
  if (isHere(action, result)) return { action, name, state: t("stateSent"), why: "", isUnread };
  return { action, name, state: t(STATES[result.outcome]), why: whyOf(result), isUnread };
}

function lineOfWaiting({ action, name }: StoredAction): Line {
  const file = troubledFileOf(action);
  return { action, name, state: t("stateWaiting"), why: file?.trouble ?? "", isUnread: !!file && unreadFiles.value.includes(file.uploadId) };
}

// What the driver has to read stands first, however old it is.
function listLines(): Line[] {
  const lines = [...settled.value.map(lineOf), ...actions.value.map(lineOfWaiting)].reverse();
  return [...lines.filter(({ isUnread }) => isUnread), ...lines.filter(({ isUnread }) => !isUnread)].slice(0, MOST_SHOWN);
}

// What is refused while this is read stays for the next time: it puts away what it was shown with.
function PutAway() {
  const [unread, pictures] = [unreadActions.value, unreadFiles.value];
  if (unread.length + pictures.length === 0) return null;
  return (
    <div class="alert">
      <p>{t("refusedHint")}</p>
      <button type="button" onClick={() => { void putAway(unread, pictures); }}>{t("haveRead")}</button>
    </div>
  );
}

function whoSees(): string {
  if (isSignedOut.value) return t("whoSeesOut");
  if (!routeUnderWay()) return t("whoSeesOff");
  return session.value?.organization.shareDriverPosition === "NEXT_STOP" ? `${t("whoSees")} ${t("nextCustomerSees")}` : t("whoSees");
}

export function SyncPage() {
  useEffect(() => { void readSession(); }, []);
  const [trouble, setTrouble] = useState("");
  const who = session.value;
  const lines = listLines();
  const leave = async () => {
    const waits = await signOut();
    setTrouble(waits);
    if (!waits) location.hash = "";
  };
  return (
    <>
      <BackTo address={routeUnderWay() ? `#/route/${routeUnderWay()}` : "#/routes"} />
      <h1>{t("syncDetails")}</h1>
      {who && <p class="soft">{t("signedInAs", { name: nameOf(who.driver), organization: who.organization.name })}{who.device && ` · ${who.device}`}</p>}
      <p class="soft">{whoSees()}</p>
      <p class="row"><button type="button" onClick={sendNow}>{t("sendNow")}</button><button type="button" onClick={() => { void exportJournal(); }}>{t("exportJournal")}</button></p>
      {aside.value.filter(({ count }) => count > 0).map(({ id, name, count, isOver }) => <p key={id} class="soft">{t(isOver ? "otherDriverOut" : "otherDriverWaits", { count, name })}</p>)}
      <PutAway />
      {lines.length === 0 ? <p>{t("noActions")}</p> : (
        <ul aria-label={t("actions")} class="cards">
          {lines.map(({ action, name, state, why }) => <li key={action.id}><b>{wordsOf(action, name)}</b> <span class="soft">{sayTime(action.at, zone(), locale.value)}</span> <span class={`state ${state}`}>{state}</span>{why && <p class="soft">{why}</p>}</li>)}
        </ul>
      )}
      <label>{t("navigateWith")}
        <select value={choices.value["map"] ?? ""} onChange={(event) => { void keepChoice("map", event.currentTarget.value); }}>
          {MAP_APPS.map((app) => <option key={app} value={app}>{app ? { google: "Google Maps", apple: "Apple Maps", waze: "Waze", geo: "geo:" }[app] : "–"}</option>)}
        </select>
      </label>
      <PushPart />
      <TrackerPart />
      {trouble && <p role="alert" class="alert">{trouble}</p>}
      <button type="button" class="bad" onClick={() => { void leave(); }}>{t("signOut")}</button>
    </>
  );
}
