// Programs that are sent events: adding them, what became of each event, and what signs them.
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { Refusal, wordsOf } from "../kit/http";
import { locale, t } from "../kit/words";
import { notice, report } from "./day";
import { ask, closeDialog, Failure, Field, openDialog, useSubmit } from "./dialogs";
import { sayIssue, type Issue } from "./issues";
import { get, send, zone } from "./session";

const TOPICS = [
  "ROUTE_CREATED", "ROUTE_UPDATED", "ROUTE_DELETED", "ROUTE_DISPATCHED", "ROUTE_STARTED", "ROUTE_COMPLETED", "ROUTE_START_STOP_UPDATED",
  "ROUTE_END_STOP_UPDATED", "STOP_UPDATED", "STOP_STATUS_UPDATED", "DRIVER_ADDED", "DRIVER_UPDATED", "DRIVER_ACTIVATED", "DRIVER_DEACTIVATED",
  "DRIVER_ARCHIVED", "IMPORTED_STOP_CREATED", "IMPORTED_STOP_UPDATED", "IMPORTED_STOP_DELETED", "PLAN_COMPLETED", "PLAN_FAILED", "PLAN_APPLIED",
];

interface Webhook { id: string; url: string; topics: string[]; active: boolean }
interface Delivery { eventId: string; topic: string; status: string; attempts: ({ at: string; status?: number; error?: string } & Issue)[]; nextAttemptAt?: string }
interface DeliveryPage { deliveries: Delivery[]; nextCursor: string }

export function WebhooksTab() {
  const [webhooks, setWebhooks] = useState<Webhook[] | null>(null);
  const read = () => get<{ webhooks: Webhook[] }>("/webhooks").then((found) => setWebhooks(found.webhooks), report);
  useEffect(() => { void read(); }, []);
  const test = (id: string) => send("POST", `/webhooks/${id}/test`).then(() => { notice.value = t("testSent"); }, report);
  async function remove({ id, url }: Webhook) {
    if (await ask(t("remove"), t("remove"), t("webhookDeleteQuestion", { name: url }))) await send("DELETE", `/webhooks/${id}`).then(read, report);
  }
  return (
    <>
      <p><button type="button" class="main" onClick={() => openDialog(<AddWebhook changed={read} />)}>{t("addWebhook")}</button></p>
      <table class="stacked">
        <thead><tr><th>{t("url")}</th><th>{t("topics")}</th><th>{t("state")}</th><th /></tr></thead>
        <tbody>{webhooks?.map((one) => (
          <tr key={one.id}><td class="whole-row" data-label={t("url")}>{one.url}</td><td class="soft whole-row" data-label={t("topics")}>{one.topics.join(", ")}</td><td data-label={t("state")}>{one.active ? t("active") : t("inactive")}</td>
            <td class="whole-row">
              <button type="button" class="quiet" onClick={() => void test(one.id)}>{t("sendTest")}</button>
              <button type="button" class="quiet" onClick={() => openDialog(<Attempts id={one.id} />)}>{t("attempts")}</button>
              <button type="button" class="quiet" onClick={() => openDialog(<SigningSecret webhook={one} />)}>{t("signingSecret")}</button>
              <button type="button" class="quiet danger" onClick={() => void remove(one)}>{t("remove")}</button>
            </td></tr>
        ))}</tbody>
      </table>
    </>
  );
}

// To the second: the first attempts follow each other within a minute.
const sayInstant = (at: string) => new Intl.DateTimeFormat(locale.value, { timeZone: zone.value, dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" }).format(Date.parse(at));

const DELIVERY_STATES = { PENDING: "messageWaiting", DELIVERED: "eventTaken", DROPPED: "eventDropped" } as const;
const sayDeliveryState = (status: string) => (status in DELIVERY_STATES ? t(DELIVERY_STATES[status as keyof typeof DELIVERY_STATES]) : status);

function Attempts({ id }: { id: string }) {
  const [deliveries, setDeliveries] = useState<Delivery[] | null>(null);
  const [cursor, setCursor] = useState("");
  const [trouble, setTrouble] = useState("");
  const say = (error: unknown) => { if (!(error instanceof Refusal)) throw error; setTrouble(wordsOf(error)); };
  const read = (after = "") => get<DeliveryPage>(`/webhooks/${id}/deliveries${after && `?cursor=${encodeURIComponent(after)}`}`).then((page) => {
    setTrouble("");
    setDeliveries((before) => (after ? [...before ?? [], ...page.deliveries] : page.deliveries));
    setCursor(page.nextCursor);
  }, say);
  useEffect(() => { void read(); }, []);
  const replay = ({ eventId }: Delivery) => send("POST", `/webhooks/${id}/replays`, { eventIds: [eventId] }).then(() => read(), say);
  return (
    <Dialog title={t("attempts")} close={closeDialog} wide>
      <Failure words={trouble} />
      {!deliveries && !trouble && <p role="status" class="soft">{t("loading")}</p>}
      {deliveries && !deliveries.length && <p class="soft">{t("noAttempts")}</p>}
      <ul class="plain cases">{deliveries?.map((one) => (
        <li key={one.eventId}>
          <div id={`delivery-${one.eventId}`}>
            <b>{one.topic}</b> · <span class={one.status === "DROPPED" ? "bad" : ""}>{sayDeliveryState(one.status)}</span>
            {one.nextAttemptAt && one.attempts.length > 0 && <> · {t("nextTry", { time: sayInstant(one.nextAttemptAt) })}</>}
            {one.attempts.map((attempt) => <p key={attempt.at} class="soft">{sayInstant(attempt.at)}: {attempt.status ? t("answeredWith", { status: attempt.status }) : sayIssue(attempt, attempt.error ?? "")}</p>)}
          </div>
          {one.status !== "PENDING" && <button type="button" class="quiet" aria-describedby={`delivery-${one.eventId}`} onClick={() => { void replay(one); }}>{t("sendAgain")}</button>}
        </li>
      ))}</ul>
      <div class="buttons">
        {cursor && <button type="button" onClick={() => { void read(cursor); }}>{t("olderAttempts")}</button>}
        <button type="button" onClick={() => { void read(); }}>{t("readAgain")}</button>
        <button type="button" class="main" onClick={closeDialog}>{t("close")}</button>
      </div>
    </Dialog>
  );
}

// A secret of the webhook's own. Both sign until it is used alone, so that no event is lost while the receiver learns it.
function SigningSecret({ webhook }: { webhook: Webhook }) {
  const [secret, setSecret] = useState("");
  const [isRotating, setRotating] = useState(false);
  const [make, trouble, isBusy] = useSubmit(async () => {
    try {
      setSecret((await send<{ nextSecret: string }>("POST", `/webhooks/${webhook.id}/secret/rotate`)).nextSecret);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 400) throw error; // one was made before
    }
    setRotating(true);
  });
  const end = async (how: "finish" | "cancel", close: () => void) => {
    await send("POST", `/webhooks/${webhook.id}/secret/${how}`);
    close();
    notice.value = t(how === "finish" ? "secretUsed" : "secretForgotten");
  };
  const [use, useTrouble, isUsing] = useSubmit((close) => end("finish", close));
  const [forget, forgetTrouble, isForgetting] = useSubmit((close) => end("cancel", close));
  return (
    <Dialog title={t("signingSecret")} close={closeDialog}>
      <p class="soft">{webhook.url}</p>
      <Failure words={trouble || useTrouble || forgetTrouble} />
      {!isRotating && <p>{t("secretHint")}</p>}
      {secret && <Field label={t("signingSecret")}><input readOnly aria-describedby="secret-once" value={secret} onFocus={(event) => event.currentTarget.select()} /></Field>}
      {isRotating && <p id="secret-once">{t(secret ? "secretOnce" : "secretMadeBefore")}</p>}
      {isRotating && <p class="verbs">
        <button type="button" class="main" disabled={isUsing} onClick={use}>{t("useSecret")}</button>
        <button type="button" disabled={isForgetting} onClick={forget}>{t("forgetSecret")}</button>
      </p>}
      <div class="buttons">
        <button type="button" onClick={closeDialog}>{t("close")}</button>
        {!isRotating && <button type="button" class="main" disabled={isBusy} onClick={make}>{t("makeSecret")}</button>}
      </div>
    </Dialog>
  );
}

function AddWebhook({ changed }: { changed: () => void }) {
  const [url, setUrl] = useState("");
  const [topics, setTopics] = useState<ReadonlySet<string>>(new Set());
  const toggle = (topic: string) => {
    const changedTopics = new Set(topics);
    if (!changedTopics.delete(topic)) changedTopics.add(topic);
    setTopics(changedTopics);
  };
  const [submit, trouble, isBusy] = useSubmit(async (close) => {
    await send("POST", "/webhooks", { url, topics: [...topics] });
    close();
    changed();
  });
  return (
    <Dialog title={t("addWebhook")} close={closeDialog}>
      <form onSubmit={submit}>
        <Failure words={trouble} />
        <Field label={t("url")}><input type="url" required value={url} onInput={(event) => setUrl(event.currentTarget.value)} /></Field>
        <fieldset class="checks"><legend>{t("topics")}</legend>
          {TOPICS.map((topic) => <label key={topic}><input type="checkbox" checked={topics.has(topic)} onChange={() => toggle(topic)} />{topic}</label>)}
        </fieldset>
        <div class="buttons">
          <button type="button" onClick={closeDialog}>{t("cancel")}</button>
          <button type="submit" class="main" disabled={isBusy || !topics.size}>{t("add")}</button>
        </div>
      </form>
    </Dialog>
  );
}
