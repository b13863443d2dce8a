// Settings in tabs: who may do what, and who is told what.
import { useEffect, useState } from "preact/hooks";
import { t } from "../kit/words";
import { report } from "./day";
import { ask, Field } from "./dialogs";
import { MapTab } from "./map_settings";
import { MembersTab } from "./members_settings";
import { MessagesTab } from "./messages_settings";
import { OrganizationTab } from "./organization_settings";
import { go, path } from "./places";
import { PrivacyTab } from "./privacy_settings";
import { ProofTab } from "./proof_settings";
import { SignInTab } from "./second_factors";
import { get, isOwner, send, session } from "./session";
import { StorefrontsTab } from "./storefront_settings";
import { WebhooksTab } from "./webhook_settings";

type TabKey = "organization" | "members" | "messages" | "proof" | "privacy" | "map" | "storefronts" | "webhooks" | "credentials" | "signIn";

// The address names the tab, so that Back, a reload and a link find it.
const show = (tab: TabKey) => go(`settings/${tab}`);

export function SettingsPage() {
  const all: [TabKey, string][] = [
    ["organization", t("organizationTab")], ["members", t("membersTab")], ["messages", t("messagesTab")], ["proof", t("proofTab")], ["privacy", t("privacyTab")],
    ["map", t("mapTab")], ["storefronts", t("storefrontsTab")], ["webhooks", t("webhooksTab")], ["credentials", t("credentialsTab")],
  ];
  const own: [TabKey, string][] = session.value?.member ? [["signIn", t("signInTab")]] : [];
  const tabs = [...(isOwner.value ? all : all.filter(([key]) => key === "organization" || key === "messages")), ...own];
  const asked = path.value.split("/")[1];
  const open = tabs.find(([key]) => key === asked)?.[0] ?? "organization"; // who gives up a role loses its tabs
  const step = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    const at = tabs.findIndex(([key]) => key === open);
    const next = tabs[(at + by + tabs.length) % tabs.length]!;
    show(next[0]);
    document.getElementById(`tab-${next[0]}`)?.focus();
  };
  return (
    <section class="page" aria-label={t("settings")}>
      <h1>{t("settings")}</h1>
      <div role="tablist" class="tabs" aria-label={t("settings")} onKeyDown={step}>
        {tabs.map(([key, name]) => (
          <button key={key} id={`tab-${key}`} type="button" role="tab" aria-selected={open === key} aria-controls="tab-panel" tabIndex={open === key ? 0 : -1} onClick={() => show(key)}>{name}</button>
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
        <div class="card" aria-live="polite">
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
