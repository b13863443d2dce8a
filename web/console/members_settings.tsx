// Who plans for the organization: inviting them, what they may do, and what helps who cannot get in.
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { wordsOf, type Refusal } from "../kit/http";
import { t } from "../kit/words";
import { notice, report } from "./day";
import { closeDialog, Failure, Field, openDialog, useSubmit } from "./dialogs";
import { PasswordResetWords, requestReset, useResetMail } from "./password_reset";
import { sayPersonStatus } from "./people";
import { getAll, send, session, type Member } from "./session";

const ROLES = ["OWNER", "PLANNER", "VIEWER"] as const;
const sayRole = (role: string) => ({ OWNER: t("owner"), PLANNER: t("planner"), VIEWER: t("viewer") })[role] ?? role;

interface ListedMember extends Member { status: string; lastSeenAt?: string }

interface LeftCredentials { id: string; scopes: string[] }
interface Changed { credentials?: LeftCredentials[] }

const nameOf = (one: ListedMember) => one.name || one.email;

export function MembersTab() {
  const [members, setMembers] = useState<ListedMember[] | null>(null);
  const read = () => getAll<ListedMember>("/members", "members").then(setMembers, report);
  useEffect(() => { void read(); }, []);
  const toggle = (one: ListedMember) => send<Changed>("POST", `/members/${one.id}/${one.status === "DEACTIVATED" ? "activate" : "deactivate"}`)
    .then((answer) => { nameCredentials(one, answer); void read(); }, report);
  const link = (one: ListedMember) => send<{ inviteUrl: string }>("POST", `/members/${one.id}/invite`)
    .then(({ inviteUrl }) => { openDialog(<InviteLink name={nameOf(one)} link={inviteUrl} />); }, report);
  return (
    <>
      <p><button type="button" class="main" onClick={() => openDialog(<InviteMember changed={read} />)}>{t("inviteMember")}</button></p>
      <table class="stacked">
        <thead><tr><th>{t("name")}</th><th>{t("email")}</th><th>{t("role")}</th><th>{t("state")}</th><th /></tr></thead>
        <tbody>{members?.map((one) => (
          <tr key={one.id}><td data-label={t("name")}>{one.name}</td><td id={`email-${one.id}`} data-label={t("email")}>{one.email}</td><td data-label={t("role")}>{sayRole(one.role)}</td><td data-label={t("state")}>{sayPersonStatus(one.status)}</td>
            <td class="whole-row">
              {one.status === "INVITED" && <button type="button" class="quiet" aria-describedby={`email-${one.id}`} onClick={() => void link(one)}>{t("newLink")}</button>}
              <button type="button" class="quiet" aria-describedby={`email-${one.id}`} onClick={() => openDialog(<EditMember member={one} changed={read} />)}>{t("edit")}</button>
              <button type="button" class="quiet" aria-describedby={`email-${one.id}`} onClick={() => void toggle(one)}>{one.status === "DEACTIVATED" ? t("activate") : t("deactivate")}</button>
            </td></tr>
        ))}</tbody>
      </table>
    </>
  );
}

// A shop may run on what a member has left behind: the owner says which of it ends.
function nameCredentials(member: ListedMember, { credentials }: Changed) {
  if (credentials?.length) openDialog(<CredentialsLeft name={nameOf(member)} credentials={credentials} />);
}

function CredentialsLeft({ name, credentials }: { name: string; credentials: LeftCredentials[] }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = (id: string, isChosen: boolean) => setChosen(new Set(isChosen ? [...chosen, id] : [...chosen].filter((one) => one !== id)));
  const [submit, trouble, isBusy] = useSubmit(async (close) => {
    for (const id of chosen) await send("DELETE", `/credentials/${id}`).catch((refusal: Refusal) => { if (refusal.status !== 404) throw refusal; });
    close();
  });
  return (
    <Dialog title={t("credentialsTab")} close={closeDialog}>
      <form onSubmit={submit}>
        <Failure words={trouble} />
        <p>{t("credentialsLeft", { name })}</p>
        {credentials.map(({ id, scopes }) => (
          <label class="check" key={id}>
            <input type="checkbox" checked={chosen.has(id)} onChange={(event) => { choose(id, event.currentTarget.checked); }} /> <span>{id} <span class="soft">{scopes.join(", ")}</span></span>
          </label>
        ))}
        <div class="buttons">
          <button type="button" onClick={closeDialog}>{t("close")}</button>
          <button type="submit" class="danger" disabled={isBusy || !chosen.size}>{t("remove")}</button>
        </div>
      </form>
    </Dialog>
  );
}

function RoleField({ role, change }: { role: string; change: (role: Member["role"]) => void }) {
  return (
    <Field label={t("role")}>
      <select value={role} onChange={(event) => { change(event.currentTarget.value as Member["role"]); }}>
        {ROLES.map((one) => <option key={one} value={one}>{sayRole(one)}</option>)}
      </select>
    </Field>
  );
}

// It is shown this once: whoever closes it makes a new one.
function LinkShown({ link }: { link: string }) {
  return (
    <>
      <Field label={t("inviteLink")}><input readOnly aria-describedby="link-hint" value={link} onFocus={(event) => event.currentTarget.select()} /></Field>
      <p id="link-hint" class="soft">{t("memberLinkHint")}</p>
      <div class="buttons"><button type="button" class="main" onClick={closeDialog}>{t("close")}</button></div>
    </>
  );
}

const InviteLink = ({ name, link }: { name: string; link: string }) => <Dialog title={name} close={closeDialog}><LinkShown link={link} /></Dialog>;

function InviteMember({ changed }: { changed: () => void }) {
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<Member["role"]>("PLANNER");
  const [link, setLink] = useState("");
  const [submit, trouble, isBusy] = useSubmit(async () => {
    const made = await send<{ inviteUrl: string }>("POST", "/members", { email, name, role });
    setLink(made.inviteUrl);
    changed();
  });
  return (
    <Dialog title={t("inviteMember")} close={closeDialog}>
      {link ? <LinkShown link={link} /> : (
        <form onSubmit={submit}>
          <Failure words={trouble} />
          <Field label={t("email")}><input type="email" required autocomplete="off" value={email} onInput={(event) => setEmail(event.currentTarget.value)} /></Field>
          <Field label={t("name")}><input value={name} onInput={(event) => setName(event.currentTarget.value)} /></Field>
          <RoleField role={role} change={setRole} />
          <div class="buttons">
            <button type="button" onClick={closeDialog}>{t("cancel")}</button>
            <button type="submit" class="main" disabled={isBusy}>{t("invite")}</button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function EditMember({ member, changed }: { member: ListedMember; changed: () => void }) {
  const [name, setName] = useState(member.name);
  const [role, setRole] = useState(member.role);
  const [submit, trouble, isBusy] = useSubmit(async (close) => {
    const answer = await send<Changed>("PATCH", `/members/${member.id}`, { member: { name, role }, updateMask: "name,role" });
    close();
    const own = session.value;
    if (own?.member?.id === member.id) session.value = { ...own, member: { ...own.member, name, role } };
    if (own?.member?.id === member.id && role !== "OWNER") return; // who is no owner any more may neither list them nor delete anything
    changed();
    nameCredentials(member, answer);
  });
  return (
    <Dialog title={t("editMember")} close={closeDialog}>
      <form onSubmit={submit}>
        <Failure words={trouble} />
        <p class="soft">{member.email}</p>
        <Field label={t("name")}><input value={name} onInput={(event) => setName(event.currentTarget.value)} /></Field>
        <RoleField role={role} change={setRole} />
        {member.status === "ACTIVE" && <ForgottenPassword email={member.email} />}
        <div class="buttons">
          <button type="button" onClick={closeDialog}>{t("cancel")}</button>
          <button type="submit" class="main" disabled={isBusy}>{t("save")}</button>
        </div>
      </form>
    </Dialog>
  );
}

// Nobody who looks over an owner's shoulder gets into another's account: the link goes to the person alone.
function ForgottenPassword({ email }: { email: string }) {
  const sendsMail = useResetMail();
  const [trouble, setTrouble] = useState("");
  const [isBusy, setBusy] = useState(false);
  function submit() {
    setBusy(true);
    requestReset(email).then(() => { notice.value = t("resetSentTo", { email }); closeDialog(); }, (error: Refusal) => { setTrouble(wordsOf(error)); setBusy(false); });
  }
  return (
    <>
      <h3>{t("forgottenPassword")}</h3>
      <Failure words={trouble} />
      <PasswordResetWords sendsMail={sendsMail} email={email} />
      {sendsMail && <p><button type="button" disabled={isBusy} onClick={submit}>{t("sendResetLink")}</button></p>}
    </>
  );
}
