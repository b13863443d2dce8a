// What every screen shows: whether everything is sent, and the way back from the last tap.
import { isOffline, refusedCount, trouble, undo, undoable, waitingCount, waitingFiles } from "./app";
import { KeptNotice } from "./kept";
import { go, stopAddress } from "./places";
import { isSignedOut } from "./pumps";
import { room } from "./space";
import { t } from "./words";

export function StatusLine() {
  const waits = waitingCount.value ? t("waiting", { count: waitingCount.value }) : waitingFiles.value ? t("filesWaiting", { count: waitingFiles.value }) : "";
  const said = [waits || (isOffline.value ? "" : t("allSent")), isOffline.value ? t("noNetwork") : ""].filter(Boolean);
  return (
    <div class="status-line">
      <span role="status" class={waits || isOffline.value ? "waits" : "sent"}>{said.join(", ")}</span>
      {refusedCount.value > 0 && <a href="#/sync" class="bad">{t("refusedCount", { count: refusedCount.value })}</a>}
      <button type="button" class="quiet" onClick={() => { go("#/sync"); }}>{t("syncDetails")}</button>
    </div>
  );
}

export function Notices() {
  return (
    <>
      {trouble.value && <p role="alert" class="alert">{trouble.value}</p>}
      {room.value === "none" && <p role="alert" class="alert">{t("storageFull")}</p>}
      <KeptNotice />
      {isSignedOut.value && <p class="alert"><b>{t("sessionOver")}</b> {t("sessionOverHint")}</p>}
    </>
  );
}

export function UndoBar() {
  const offered = undoable.value;
  if (!offered) return null;
  const takeBack = () => {
    if (offered.stopId) go(stopAddress(offered.routeId, offered.stopId));
    void undo();
  };
  return (
    <div class="undo">
      <span aria-live="polite">{t("recorded", { what: [offered.label, offered.name].filter(Boolean).join(" ") })}</span>
      <button type="button" onClick={takeBack}>{t("undo")}</button>
    </div>
  );
}
