// Programs that are sent events: adding them, what became of each event, and what signs them.
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { t } from "../kit/words";
import { notice, report } from "./day";
import { ask, closeDialog, Failure, Field, openDialog, useSubmit } from "./dialogs";
import { get, send } from "./session";

const TOPICS = [
  "ROUTE_CREATED", "ROUTE_UPDATED", "ROUTE_DELETED", "ROUTE_DISPATCHED", "ROUTE_STARTED", "ROUTE_COMPLETED", "ROUTE_START_STOP_UPDATED",
  "ROUTE_END_STOP_UPDATED", "STOP_UPDATED", "STOP_STATUS_UPDATED", "DRIVER_ADDED", "DRIVER_UPDATED", "DRIVER_ACTIVATED", "DRIVER_DEACTIVATED",
  "DRIVER_ARCHIVED", "IMPORTED_STOP_CREATED", "IMPORTED_STOP_UPDATED", "IMPORTED_STOP_DELETED", "PLAN_COMPLETED", "PLAN_FAILED", "PLAN_APPLIED",
];

interface Webhook { id: string; url: string; topics: string[]; active: boolean }
interface Delivery { eventId: string; topic: string; status: string; attempts: { at: string; status?: number; error?: string }[] }

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
      <table>
        <thead><tr><th>{t("url")}</th><th>{t("topics")}</th><th>{t("state")}</th><th /></tr></thead>
        <tbody>{webhooks?.map((one) => (
          <tr key={one.id}><td>{one.url}</td><td class="soft">{one.topics.join(", ")}</td><td>{one.active ? t("active") : t("inactive")}</td>
            <td class="row-buttons">
              <button type="button" class="quiet" onClick={() => void test(one.id)}>{t("sendTest")}</button>
              <button type="button" class="quiet" onClick={() => openDialog(<Attempts id={one.id} />)}>{t("attempts")}</button>
              <button type="button" class="quiet danger" onClick={() => void remove(one)}>{t("remove")}</button>
            </td></tr>
        ))}</tbody>
      </table>
    </>
  );
}

function Attempts({ id }: { id: string }) {
  const [deliveries, setDeliveries] = useState<Delivery[] | null>(null);
  useEffect(() => { get<{ deliveries: Delivery[] }>(`/webhooks/${id}/deliveries`).then((found) => setDeliveries(found.deliveries), report); }, []);
  return (
    <Dialog title={t("attempts")} close={closeDialog}>
      {deliveries && !deliveries.length && <p class="soft">{t("noAttempts")}</p>}
      <ul class="plain">{deliveries?.map((one) => (
        <li key={one.eventId}><b>{one.topic}</b> {one.status} {one.attempts.map((attempt) => `${attempt.at} ${attempt.status ?? attempt.error ?? ""}`).join(" · ")}</li>
      ))}</ul>
      <div class="buttons"><button type="button" onClick={closeDialog}>{t("close")}</button></div>
    </Dialog>
  );
}

function AddWebhook({ changed }: { changed: () => void }) {
  const [url, setUrl] = useState("");
  const [topics, setTopics] = useState<ReadonlySet<string>>(new Set(["ROUTE_CREATED", "ROUTE_UPDATED", "STOP_STATUS_UPDATED"]));
  const toggle = (topic: string) => {
    const changedTopics = new Set(topics);
    if (!changedTopics.delete(topic)) changedTopics.add(topic);
    setTopics(changedTopics);
  };
  const [submit, trouble, isBusy] = useSubmit(async () => {
    await send("POST", "/webhooks", { url, topics: [...topics] });
    closeDialog();
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
