// Where a stop is, typed anew: an address that is looked up, or coordinates.
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { t } from "../kit/words";
import { trouble } from "./day";
import { closeDialog, Failure, Field, openDialog } from "./dialogs";
import { relocateImportedStop } from "./locations";
import { readPlace, sayPlace } from "./place";
import type { Place } from "./session";
import type { ImportedStop } from "./shapes";

export const fixImportedStop = (stop: ImportedStop, changed: () => Promise<unknown>) =>
  openDialog(<FixLocation current={stop.coordinates && { coordinates: stop.coordinates }} save={(place) => relocateImportedStop(stop, place, changed)} />);

export function FixLocation({ current, save }: { current: Place | undefined; save: (place: Place) => Promise<boolean> }) {
  const [text, setText] = useState(sayPlace(current));
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const isOpen = useRef(true);
  useEffect(() => () => { isOpen.current = false; }, []);
  async function submit(event: Event) {
    event.preventDefault();
    const place = readPlace(text);
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
