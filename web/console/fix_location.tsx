// Where a stop is, typed anew: an address that is looked up, or coordinates.
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { t } from "../kit/words";
import { trouble } from "./day";
import { closeDialog, Failure, Field, openDialog } from "./dialogs";
import { safely } from "./edits";
import { orderPath, relocateImportedStop, relocateOrder, type OrderLocation } from "./locations";
import { readPlace, sayPlace } from "./place";
import { call, type Place } from "./session";
import type { ImportedStop, RouteStop } from "./shapes";

export const fixImportedStop = (stop: ImportedStop, changed: () => Promise<unknown>) =>
  openDialog(<FixLocation current={stop.coordinates && { coordinates: stop.coordinates }} save={(place) => relocateImportedStop(stop, place, changed)} />);

const nothing = () => Promise.resolve();

// Of an order of a shop, on a route or on none: it is corrected for all its stops.
export const fixOrder = (orderId: string, changed: () => Promise<unknown> = nothing, on?: { routeId: string; stop: RouteStop }) => safely(async () => {
  const shown = await call<OrderLocation>(orderPath(orderId));
  const { address, coordinates = on?.stop.plannedCoordinates } = shown.body;
  openDialog(<FixLocation current={coordinates ? { coordinates } : address && { address: { ...address } }} save={(place) => relocateOrder(orderId, place, changed, shown, on)} />);
});

export function FixLocation({ current, save }: { current: Place | undefined; save: (place: Place) => Promise<boolean> }) {
  const [text, setText] = useState(sayPlace(current));
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const isOpen = useRef(true);
  useEffect(() => () => { isOpen.current = false; }, []);
  async function submit(event: Event) {
    event.preventDefault();
    const place = readPlace(text, current);
    if (!place) return setFailure(t("badPlace"));
    setBusy(true);
    const isSaved = await save(place).finally(() => { setBusy(false); });
    if (!isOpen.current) return; // closed meanwhile: the page says what was refused
    if (isSaved) return closeDialog();
    // Said here, beside what was typed, and not on the page behind.
    setFailure(trouble.value);
    trouble.value = "";
  }
  return (
    <Dialog title={t("fixLocation")} close={closeDialog}>
      <form onSubmit={submit}>
        <Failure words={failure} />
        <Field label={t("addressOrCoordinates")}><input value={text} required onInput={(event) => setText(event.currentTarget.value)} /></Field>
        <div class="buttons">
          <button type="button" onClick={closeDialog}>{t("cancel")}</button>
          <button type="submit" class="main" disabled={isBusy}>{t("save")}</button>
        </div>
      </form>
    </Dialog>
  );
}
