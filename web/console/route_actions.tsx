// What a planner does with a route as a whole: the same buttons on its item and on its page.
import { Refusal } from "../kit/http";
import { useMenu } from "../kit/menu";
import { t } from "../kit/words";
import { date, forgetRoute, versionOf } from "./day";
import { act } from "./edits";
import { AssignDriver, AssignVehicle, ask, openDialog } from "./dialogs";
import { downloadByToken } from "./downloads";
import { go } from "./places";
import { reoptimize } from "./reoptimizing";
import { archive } from "./route_edits";
import { isDispatched, sayUnsent } from "./route_items";
import { isViewer, send } from "./session";
import type { RouteDriver } from "./shapes";

interface Acted { id: string; name: string; status: string; dispatchedUntil?: string; archivedAt?: string; stopCount: number; driver?: RouteDriver; doneCount?: number; openCount?: number }

const FORMATS: [string, string][] = [["CSV", "CSV"], ["XLSX", "XLSX"], ["GPX", "GPX"], ["GeoJSON", "GEOJSON"], ["calendar", "ICS"]];

export function RouteActions({ route, isSmall = false }: { route: Acted; isSmall?: boolean }) {
  const { id, name } = route;
  if (isViewer.value && isSmall) return null;
  const post = (path: string) => send("POST", `/routes/${id}/${path}`, {}, versionOf(id));
  // Said here in the words of the page.
  const dispatch = () => void act(name, () => post("dispatch").catch((error: unknown) => {
    if (error instanceof Refusal && error.kind === "refused") throw new Refusal("refused", sayUnsent(error, route.driver));
    throw error;
  }));
  async function putAway() {
    const count = route.openCount ?? 0;
    const question = [t("archiveQuestion", { name }), count ? t("archiveOpen", { stops: t("stopCount", { count }) }) : ""].filter(Boolean).join(" ");
    if (!(await ask(t("archive"), t("archive"), question))) return;
    if (await archive(route, true)) go(`day/${date.value}`);
  }
  async function remove() {
    const count = route.doneCount ?? 0;
    const question = [t("deleteQuestion", { name }), count ? t("deleteDone", { count }) : ""].filter(Boolean).join(" ");
    if (!(await ask(t("remove"), t("remove"), question))) return;
    await act(name, async () => {
      await send("DELETE", `/routes/${id}`);
      forgetRoute(id);
      go(`day/${date.value}`);
    });
  }
  if (route.archivedAt) {
    return (
      <div class="actions">
        <Files id={id} name={name} />
        {!isViewer.value && <button type="button" onClick={() => void archive(route, false)}>{t("unarchive")}</button>}
      </div>
    );
  }
  return (
    <div class={isSmall ? "actions small" : "actions"}>
      {!isViewer.value && <>
        <button type="button" onClick={() => openDialog(<AssignDriver id={id} name={name} />)}>{t("assignDriver")}</button>
        <button type="button" onClick={() => openDialog(<AssignVehicle id={id} name={name} />)}>{t("assignVehicle")}</button>
        <button type="button" data-action="reoptimize" disabled={!route.stopCount} onClick={() => void reoptimize(route)}>{t("reoptimize")}</button>
        <Dispatch route={route} isSmall={isSmall} dispatch={dispatch} />
        <button type="button" onClick={() => void act(name, () => post("ready"))}>{t("markReady")}</button>
      </>}
      {!isSmall && <Files id={id} name={name} />}
      {!isSmall && !isViewer.value && <>
        <button type="button" onClick={() => void putAway()}>{t("archive")}</button>
        <button type="button" class="danger" onClick={() => void remove()}>{t("remove")}</button>
      </>}
    </div>
  );
}

// Apart from the others, for it goes by the clock: a dispatch ends by itself.
function Dispatch({ route, isSmall, dispatch }: { route: Acted; isSmall: boolean; dispatch: () => void }) {
  const { id, name } = route;
  return isDispatched(route)
    ? <button type="button" onClick={() => void act(name, () => send("DELETE", `/routes/${id}/dispatch`, {}, versionOf(id)))}>{t("undispatch")}</button>
    : <button type="button" class={isSmall ? "" : "main"} data-action="dispatch" disabled={!route.stopCount} onClick={dispatch}>{t("dispatch")}</button>;
}

// What is taken away, by whoever may look.
function Files({ id, name }: { id: string; name: string }) {
  const [isExporting, setExporting] = useMenu();
  const sheet = `/api/2024-07/routes/${id}/sheet`;
  return (
    <>
      <span class="menu-holder">
        <button type="button" aria-haspopup="menu" aria-expanded={isExporting} onClick={() => setExporting(!isExporting)}>{t("exportRoute")}</button>
        {isExporting && (
          <span role="menu" class="menu">
            {FORMATS.map(([label, format]) => {
              const address = `/api/2024-07/routes/${id}/export?query.format=${format}`;
              return (
                <a key={format} role="menuitem" href={address} download=""
                  onClick={(event) => { setExporting(false); downloadByToken(event, address, `${name}.${format.toLowerCase()}`); }}>{label === "calendar" ? t("calendar") : label}</a>
              );
            })}
          </span>
        )}
      </span>
      <button type="button" onClick={(event) => {
        downloadByToken(event, sheet, `${name}.html`);
        if (!event.defaultPrevented) window.open(sheet, "_blank", "noopener");
      }}>{t("print")}</button>
    </>
  );
}
