// Settings in tabs: who may do what, and who is told what.
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { t } from "../kit/words";
import { notice, report } from "./day";
import { ask, closeDialog, Failure, Field, openDialog, useSubmit } from "./dialogs";
import { MapTab } from "./map_settings";
import { MessagesTab } from "./messages_settings";
import { OrganizationTab } from "./organization_settings";
import { sayPersonStatus } from "./people";
import { path } from "./places";
import { PrivacyTab } from "./privacy_settings";
import { ProofTab } from "./proof_settings";
import { SignInTab } from "./second_factors";
import { StorefrontsTab } from "./storefront_settings";
import { get, getAll, isOwner, send, session, type Member } from "./session";

type TabKey = "organization" | "members" | "messages" | "proof" | "privacy" | "map" | "storefronts" | "webhooks" | "credentials" | "signIn";

const TOPICS = [
  "ROUTE_CREATED", "ROUTE_UPDATED", "ROUTE_DELETED", "ROUTE_DISPATCHED", "ROUTE_STARTED", "ROUTE_COMPLETED", "ROUTE_START_STOP_UPDATED",
  "ROUTE_END_STOP_UPDATED", "STOP_UPDATED", "STOP_STATUS_UPDATED", "DRIVER_ADDED", "DRIVER_UPDATED", "DRIVER_ACTIVATED", "DRIVER_DEACTIVATED",
  "DRIVER_ARCHIVED", "IMPORTED_STOP_CREATED", "IMPORTED_STOP_UPDATED", "IMPORTED_STOP_DELETED", "PLAN_COMPLETED", "PLAN_FAILED", "PLAN_APPLIED",
];

export function SettingsPage() {
  const all: [TabKey, string][] = [
    ["organization", t("organizationTab")], ["members", t("membersTab")], ["messages", t("messagesTab")], ["proof", t("proofTab")], ["privacy", t("privacyTab")],
    ["map", t("mapTab")], ["storefronts", t("storefrontsTab")], ["webhooks", t("webhooksTab")], ["credentials", t("credentialsTab")],
  ];
  const own: [TabKey, string][] = session.value?.member ? [["signIn", t("signInTab")]] : [];
  const tabs = [...(isOwner.value ? all : all.filter(([key]) => key === "organization" || key === "messages")), ...own];
  const asked = path.value.split("/")[1] ?? "";
  const [open, setOpen] = useState<TabKey>("organization");
  useEffect(() => { if (tabs.some(([key]) => key === asked)) setOpen(asked as TabKey); }, [asked]);
  const step = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    const at = tabs.findIndex(([key]) => key === open);
    const next = tabs[(at + by + tabs.length) % tabs.length]!;
    setOpen(next[0]);
    document.getElementById(`tab-${next[0]}`)?.focus();
  };
  return (
    <section class="page" aria-label={t("settings")}>
      <h1>{t("settings")}</h1>
      <div role="tablist" class="tabs" aria-label={t("settings")} onKeyDown={step}>
        {tabs.map(([key, name]) => (
          <button key={key} id={`tab-${key}`} type="button" role="tab" aria-selected={open === key} aria-controls="tab-panel" tabIndex={open === key ? 0 : -1} onClick={() => setOpen(key)}>{name}</button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${open}`} tabIndex={0}>
        {open === "organization" && <OrganizationTab />}
        {open === "members" && <MembersTab />}
        {open === "messages" && <MessagesTab />}
        {open === "proof" && <ProofTab />}
        {open === "privacy" && <PrivacyTab />}
        {open === "map" && <MapTab />}
        {open === "webhooks" && <WebhooksTab />}
        {open === "credentials" && <CredentialsTab />}
        {open === "storefronts" && <StorefrontsTab />}
        {open === "signIn" && <SignInTab />}
      </div>
    </section>
  );
}

const sayRole = (role: string) => ({ OWNER: t("owner"), PLANNER: t("planner"), VIEWER: t("viewer") })[role] ?? role;

interface ListedMember extends Member { status: string; lastSeenAt?: string }

function MembersTab() {
  const [members, setMembers] = useState<ListedMember[] | null>(null);
  const read = () => getAll<ListedMember>("/members", "members").then(setMembers, report);
  useEffect(() => { void read(); }, []);
  const toggle = (one: ListedMember) => send("POST", `/members/${one.id}/${one.status === "DEACTIVATED" ? "activate" : "deactivate"}`).then(read, report);
  return (
    <>
      <p><button type="button" class="main" onClick={() => openDialog(<InviteMember changed={read} />)}>{t("inviteMember")}</button></p>
      <table>
        <thead><tr><th>{t("name")}</th><th>{t("email")}</th><th>{t("role")}</th><th>{t("state")}</th><th /></tr></thead>
        <tbody>{members?.map((one) => (
          <tr key={one.id}><td>{one.name}</td><td>{one.email}</td><td>{sayRole(one.role)}</td><td>{sayPersonStatus(one.status)}</td>
            <td><button type="button" class="quiet" onClick={() => void toggle(one)}>{one.status === "DEACTIVATED" ? t("activate") : t("deactivate")}</button></td></tr>
        ))}</tbody>
      </table>
    </>
  );
}

function InviteMember({ changed }: { changed: () => void }) {
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState("PLANNER");
  const [link, setLink] = useState("");
  const [submit, trouble, isBusy] = useSubmit(async () => {
    const made = await send<{ inviteUrl: string }>("POST", "/members", { email, name, role });
    setLink(made.inviteUrl);
    changed();
  });
  return (
    <Dialog title={t("inviteMember")} close={closeDialog}>
      {link ? <>
        <Field label={t("inviteLink")}><input readOnly value={link} onFocus={(event) => event.currentTarget.select()} /></Field>
        <div class="buttons"><button type="button" class="main" onClick={closeDialog}>{t("close")}</button></div>
      </> : (
        <form onSubmit={submit}>
          <Failure words={trouble} />
          <Field label={t("email")}><input type="email" required autocomplete="off" value={email} onInput={(event) => setEmail(event.currentTarget.value)} /></Field>
          <Field label={t("name")}><input value={name} onInput={(event) => setName(event.currentTarget.value)} /></Field>
          <Field label={t("role")}>
            <select value={role} onChange={(event) => setRole(event.currentTarget.value)}>
              {["OWNER", "PLANNER", "VIEWER"].map((one) => <option key={one} value={one}>{sayRole(one)}</option>)}
            </select>
          </Field>
          <div class="buttons">
            <button type="button" onClick={closeDialog}>{t("cancel")}</button>
            <button type="submit" class="main" disabled={isBusy}>{t("invite")}</button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

interface Webhook { id: string; url: string; topics: string[]; active: boolean }
interface Delivery { eventId: string; topic: string; status: string; attempts: { at: string; status?: number; error?: string }[] }

function WebhooksTab() {
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

interface Credentials { id: string; name: string; scopes: string[]; createdAt: string; current: boolean }

function CredentialsTab() {
  const [listed, setListed] = useState<Credentials[] | null>(null);
  const [made, setMade] = useState<{ clientId: string; clientSecret: string } | null>(null);
  const read = () => get<{ credentials: Credentials[] }>("/credentials").then((found) => setListed(found.credentials), report);
  useEffect(() => { void read(); }, []);
  const create = () => send<{ clientId: string; clientSecret: string }>("POST", "/credentials").then((answer) => { setMade(answer); void read(); }, report);
  async function remove({ id, current }: Credentials) {
    const words = [t("credentialsDeleteQuestion", { name: id }), ...(current ? [t("ownCredentialsQuestion")] : [])].join(" ");
    if (await ask(t("remove"), t("remove"), words)) await send("DELETE", `/credentials/${id}`).then(read, report);
  }
  return (
    <>
      <p><button type="button" class="main" onClick={() => void create()}>{t("createCredentials")}</button></p>
      {made && (
        <div class="card" role="status">
          <p>{t("credentialsOnce")}</p>
          <Field label={t("clientId")}><input readOnly value={made.clientId} onFocus={(event) => event.currentTarget.select()} /></Field>
          <Field label={t("clientSecret")}><input readOnly value={made.clientSecret} onFocus={(event) => event.currentTarget.select()} /></Field>
        </div>
      )}
      <table>
        <thead><tr><th>{t("clientId")}</th><th>{t("state")}</th><th /></tr></thead>
        <tbody>{listed?.map((one) => (
          <tr key={one.id}><td>{one.id}{one.current && <p class="soft">{t("ownCredentials")}</p>}</td><td class="soft">{one.scopes.join(", ")}</td>
            <td><button type="button" class="quiet danger" onClick={() => void remove(one)}>{t("remove")}</button></td></tr>
        ))}</tbody>
      </table>
    </>
  );
}
