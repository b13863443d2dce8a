// Every action with what became of it, and the way out.
import { useEffect, useState } from "preact/hooks";
import { sayTime } from "../kit/times";
import { actions, choices, files, keepChoice, readSession, sendNow, session, settled, signOut } from "./app";
import { exportJournal } from "./export";
import { whyOf, wordsOf } from "./kept";
import { MAP_APPS } from "./map_links";
import { BackTo } from "./route_page";
import { routeUnderWay } from "./position";
import { PushPart } from "./push_part";
import { zone } from "./routes_page";
import type { Action, Result } from "./shapes";
import { TrackerPart } from "./tracker";
import { locale, t } from "./words";

const STATES = { APPLIED: "stateSent", KEPT: "stateKept", REFUSED: "stateRefused" } as const;
const MOST_SHOWN = 200;

// Whether what the answer waited for, a picture, has arrived since.
const isHere = ({ uploadId }: Action, { reason }: Result) =>
  !!uploadId && reason === "WAITING" && files.value.every((file) => file.uploadId !== uploadId || file.isComplete);

function whoSees(): string {
  if (!routeUnderWay()) return t("whoSeesOff");
  return session.value?.organization.shareDriverPosition === "NEXT_STOP" ? `${t("whoSees")} ${t("nextCustomerSees")}` : t("whoSees");
}

export function SyncPage() {
  useEffect(() => { void readSession(); }, []);
  const [trouble, setTrouble] = useState("");
  const who = session.value;
  const lines = [
    ...settled.value.map(({ action, name, result }) => (isHere(action, result) ? { action, name, state: t("stateSent"), why: "" } : { action, name, state: t(STATES[result.outcome]), why: whyOf(result) })),
    ...actions.value.map(({ action, name }) => ({ action, name, state: t("stateWaiting"), why: "" })),
  ].reverse().slice(0, MOST_SHOWN);
  const leave = async () => {
    const waits = await signOut();
    setTrouble(waits);
    if (!waits) location.hash = "";
  };
  return (
    <>
      <BackTo address={routeUnderWay() ? `#/route/${routeUnderWay()}` : "#/routes"} />
      <h1>{t("syncDetails")}</h1>
      {who && <p class="soft">{t("signedInAs", { name: `${who.driver.firstName} ${who.driver.lastName}`.trim(), organization: who.organization.name })}{who.device && ` · ${who.device}`}</p>}
      <p class="soft">{whoSees()}</p>
      <p class="row"><button type="button" onClick={sendNow}>{t("sendNow")}</button><button type="button" onClick={() => { void exportJournal(); }}>{t("exportJournal")}</button></p>
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
