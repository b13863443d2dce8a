// What drivers are asked for at the door, and why a delivery may fail in this organization.
import { useEffect, useState } from "preact/hooks";
import { t } from "../kit/words";
import { notice, report } from "./day";
import { Field } from "./dialogs";
import { get, isViewer, send } from "./session";

const KINDS = [["photo", "proofPhoto"], ["signature", "proofSignature"], ["barcode", "proofBarcode"], ["note", "proofNote"], ["recipientName", "proofRecipient"]] as const;
const RULES = [["REQUIRED", "proofRequired"], ["WARN", "proofWarn"], ["OFFERED", "proofOffered"], ["OFF", "proofOff"]] as const;

interface Proof { proofRules: Record<string, string>; failureReasons: string[] }

export function ProofTab() {
  const [given, setGiven] = useState<Proof | null>(null);
  useEffect(() => { get<Proof>("/organization").then(setGiven, report); }, []);
  return given ? <ProofForm given={given} /> : <p aria-live="polite">{t("loading")}</p>;
}

function ProofForm({ given }: { given: Proof }) {
  const [rules, setRules] = useState(given.proofRules);
  const [reasons, setReasons] = useState(given.failureReasons.join("\n"));
  async function submit(event: Event) {
    event.preventDefault();
    const failureReasons = reasons.split("\n").map((line) => line.trim()).filter(Boolean);
    await send("PATCH", "/organization", { organization: { proofRules: rules, failureReasons }, updateMask: "proofRules,failureReasons" })
      .then(() => { notice.value = t("saved"); }, report);
  }
  return (
    <form onSubmit={(event) => { void submit(event); }}>
      <p class="soft">{t("proofHint")}</p>
      {KINDS.map(([kind, words]) => (
        <Field key={kind} label={t(words)}>
          <select value={rules[kind] ?? "OFFERED"} disabled={isViewer.value} onChange={(event) => { setRules({ ...rules, [kind]: event.currentTarget.value }); }}>
            {RULES.map(([rule, said]) => <option key={rule} value={rule}>{t(said)}</option>)}
          </select>
        </Field>
      ))}
      <Field label={t("failureReasons")}><textarea rows={4} value={reasons} readOnly={isViewer.value} onInput={(event) => { setReasons(event.currentTarget.value); }} /></Field>
      <p class="soft">{t("failureReasonsHint")}</p>
      {!isViewer.value && <button type="submit" class="main">{t("save")}</button>}
    </form>
  );
}
