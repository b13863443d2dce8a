// What a shop was told of a stop, and what it answered; an owner may have it told again.
import { dayAt, sayTime } from "../kit/times";
import { locale, t } from "../kit/words";
import { notice, report } from "./day";
import { isOwner, isViewer, send, zone } from "./session";
import { sayDate } from "./summaries";

export interface Failure { code: string; message: string; remedy: string }

export interface ShopReport {
  id: string; stopId: string; step: "OUT_FOR_DELIVERY" | "DELIVERED" | "ATTEMPTED" | "CORRECTED"; status: "WAITING" | "REPORTED" | "FAILED";
  attempts: number; nextAttemptAt?: string; reportedAt?: string; remark: string; lastFailure?: Failure;
}

export interface OrderStop { routeId: string; routeName: string; stopId: string; index: number; deliveryStatus: string; isElsewhere: boolean; isAtAnotherTime: boolean }
export interface OrderProgress { storeOrderId: string; stops: OrderStop[]; reports: ShopReport[] }

const STEPS = { OUT_FOR_DELIVERY: "outForDelivery", DELIVERED: "delivered", ATTEMPTED: "couldNotDeliver", CORRECTED: "stepCorrected" } as const;

export function sayFailure({ message, remedy }: Pick<Failure, "message" | "remedy">): string {
  return remedy && !/[.!?]$/.test(message) ? `${message}. ${remedy}` : [message, remedy].filter(Boolean).join(" ");
}

export function sayInstant(at: string): string {
  return `${sayDate(dayAt(Date.parse(at), zone.value))}, ${sayTime(at, zone.value, locale.value)}`;
}

function sayOutcome(one: ShopReport): string {
  if (one.status === "REPORTED") return one.reportedAt ? t("reportTold", { time: sayInstant(one.reportedAt) }) : t("reportToldOnce");
  if (one.status === "FAILED") return t("reportRefused");
  return one.attempts && one.nextAttemptAt ? t("reportWaitsUntil", { time: sayInstant(one.nextAttemptAt), count: one.attempts }) : t("reportWaits");
}

interface ReportListProps { reports: ShopReport[]; connectionId: string; changed: () => unknown }

export function ReportList({ reports, connectionId, changed }: ReportListProps) {
  if (!reports.length) return <p class="soft">{t("toldNothing")}</p>;
  const again = (id: string) => send("POST", `/storefronts/${connectionId}/reports/${id}/retry`).then(() => { notice.value = t("toldAgain"); return changed(); }, report);
  return (
    <ul class="told">{reports.map((one) => (
      <li key={one.id}>
        <b>{t(STEPS[one.step])}</b>: <span class={one.status === "FAILED" ? "bad" : one.lastFailure ? "warn" : ""}>{sayOutcome(one)}</span>
        {one.remark && <small>{one.remark}</small>}
        {one.lastFailure && <small>{sayFailure(one.lastFailure)}</small>}
        {connectionId && one.status !== "REPORTED" && isOwner.value && !isViewer.value && (one.status === "FAILED" || one.attempts > 0) && (
          <button type="button" class="quiet" onClick={() => { void again(one.id); }}>{t("tellAgain")}</button>
        )}
      </li>
    ))}</ul>
  );
}
