// Why it could not be delivered: the usual reasons, and the organization's own.
import { useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { session } from "./app";
import { t } from "./words";

const REASONS = [
  ["NOT_AVAILABLE", "notAvailable"], ["REFUSED", "refused"], ["WRONG_ADDRESS", "wrongAddress"], ["NO_ACCESS", "noAccess"],
  ["UNSAFE", "unsafe"], ["DAMAGED", "damaged"], ["OTHER", "other"],
] as const;

// An own reason is OTHER at the door, with its words as the note.
export function FailDialog({ close, save }: { close: () => void; save: (reason: string, words: string) => void }) {
  const own = session.value?.organization.failureReasons ?? [];
  const options = [...REASONS.slice(0, -1).map(([value, key]) => ({ value, words: "", said: t(key) })),
    ...own.map((words) => ({ value: "OTHER", words, said: words })), { value: "OTHER", words: "", said: t("other") }];
  const [chosen, setChosen] = useState(-1);
  const take = () => { const option = options[chosen]; if (option) save(option.value, option.words); };
  return (
    <Dialog title={t("fail")} close={close}>
      <div role="radiogroup" aria-label={t("reason")} class="reasons">
        {options.map((option, index) => (
          <label key={index} class="tick"><input type="radio" name="reason" checked={chosen === index} onChange={() => { setChosen(index); }} />{option.said}</label>
        ))}
      </div>
      <p class="row"><button type="button" class="main" disabled={chosen < 0} onClick={take}>{t("save")}</button><button type="button" class="quiet" onClick={close}>{t("cancel")}</button></p>
    </Dialog>
  );
}
