// What came to nothing, in plain words: the service has kept it for the planner, and changed nothing.
import { seeUnseen, unseen } from "./app";
import type { Action, Result } from "./shapes";
import type { Settled } from "./stored";
import { t } from "./words";

const WHY = {
  SUPERSEDED: "superseded", ROUTE_GONE: "routeDeleted", ROUTE_ARCHIVED: "routeArchived", ROUTE_NOT_DISPATCHED: "routeTakenBack", ROUTE_NOT_YOURS: "routeGone",
  ROUTE_COMPLETED: "routeCompletedBefore", STOP_GONE: "stopGone", TASK_GONE: "taskGone",
} as const;
const MOST_NAMED = 10;

// Why an action was kept or refused; what has no words of ours has those of the service.
export function whyOf({ reason, message }: Result): string {
  return reason in WHY ? t(WHY[reason as keyof typeof WHY]) : message;
}

export function wordsOf({ kind }: Action, name = ""): string {
  return [t(kind as "PHOTO"), name].filter(Boolean).join(" ");
}

function namesOf(kept: Settled[]): string {
  const names = [...new Set(kept.map(({ action, name }) => wordsOf(action, name)))];
  return [...names.slice(0, MOST_NAMED), ...(names.length > MOST_NAMED ? ["…"] : [])].join(", ");
}

export function KeptNotice() {
  const reasons = [...new Set(unseen.value.map(({ result }) => whyOf(result)))];
  if (reasons.length === 0) return null;
  return (
    <section role="alert" class="alert">
      <p><b>{t("keptNotice")}</b></p>
      {reasons.map((why) => <p key={why}>{namesOf(unseen.value.filter(({ result }) => whyOf(result) === why))}: {why}</p>)}
      <button type="button" onClick={() => { void seeUnseen(); }}>{t("close")}</button>
    </section>
  );
}
