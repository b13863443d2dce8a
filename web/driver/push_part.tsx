// Whether this phone is told of a planner's changes while the app is closed.
import { useEffect, useState } from "preact/hooks";
import { beTold, beToldNoMore, canBeTold, isTold, subscribeAgain, whyNotTold } from "./pushes";
import { t } from "./words";

export function PushPart() {
  const [trouble, setTrouble] = useState("");
  const [isBusy, setBusy] = useState(false);
  useEffect(() => { void subscribeAgain(); }, []); // what is said here is true
  if (!canBeTold()) return null;
  const run = async (change: () => Promise<string | void>) => {
    setBusy(true);
    try {
      setTrouble((await change()) || "");
    } catch (error) {
      setTrouble(error instanceof TypeError ? t("noNetwork") : String(error));
    }
    setBusy(false);
  };
  return (
    <section aria-label={t("notices")}>
      <h2>{t("notices")}</h2>
      <p class="soft">{isTold() ? t("noticesOn") : t("noticesWhy")}</p>
      {(trouble || whyNotTold()) && <p role="alert" class="alert">{trouble || whyNotTold()}</p>}
      <button type="button" disabled={isBusy} onClick={() => { void run(isTold() ? beToldNoMore : beTold); }}>{isTold() ? t("noticesEnd") : t("noticesStart")}</button>
    </section>
  );
}
