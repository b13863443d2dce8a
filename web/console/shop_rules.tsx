// Rules of a shop: which of its orders are left there, and what the stops of the others are given.
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../kit/words";
import { Field } from "./dialogs";
import { NamesField } from "./names_field";

const SUBJECTS = { TAG: "ruleTag", CUSTOMER_TAG: "ruleCustomerTag", ATTRIBUTE: "ruleAttribute", DELIVERY_METHOD: "ruleMethod", LOCATION: "ruleLocation" } as const;
type Subject = keyof typeof SUBJECTS;

export interface Rule {
  subject: Subject; name: string; value: string; isAbsent: boolean;
  isLeft: boolean; priority?: number; duration?: string; type?: string; requiredSkills: string[];
}

// Orders of other platforms have nothing else.
const EVERYWHERE: readonly Subject[] = ["ATTRIBUTE", "DELIVERY_METHOD"];
const subjectsOf = (platform: string) => (Object.keys(SUBJECTS) as Subject[]).filter((one) => platform === "SHOPIFY" || EVERYWHERE.includes(one));
const hasEffect = ({ isLeft, priority, duration, type, requiredSkills }: Rule) =>
  isLeft || priority !== undefined || duration !== undefined || (type ?? "UNKNOWN") !== "UNKNOWN" || requiredSkills.length > 0;

interface RulesFieldProps { platform: string; rules: Rule[]; change: (rules: Rule[]) => void }

export function RulesField({ platform, rules, change }: RulesFieldProps) {
  const subjects = subjectsOf(platform);
  const [keys, setKeys] = useState(() => rules.map((_, index) => index)); // so that each keeps its fields when another goes
  const [added, setAdded] = useState(-1);
  const addButton = useRef<HTMLButtonElement>(null);
  function add() {
    const key = Math.max(-1, ...keys) + 1;
    setKeys([...keys, key]);
    setAdded(key);
    change([...rules, { subject: subjects[0]!, name: "", value: "", isAbsent: false, isLeft: false, requiredSkills: [] }]);
  }
  function remove(index: number) {
    setKeys(keys.filter((_, at) => at !== index));
    change(rules.filter((_, at) => at !== index));
    addButton.current?.focus();
  }
  return (
    <fieldset class="rules">
      <legend>{t("shopRules")}</legend>
      <p class="soft">{t("shopRulesHint")}</p>
      {rules.map((one, index) => (
        <RuleFields
          key={keys[index]} number={index + 1} rule={one} subjects={subjects} takesFocus={keys[index] === added}
          change={(changed) => { change(rules.map((other, at) => (at === index ? changed : other))); }}
          remove={() => { remove(index); }}
        />
      ))}
      <button ref={addButton} type="button" disabled={rules.length >= 50} onClick={add}>{t("shopRuleAdd")}</button>
    </fieldset>
  );
}

interface RuleFieldsProps { number: number; rule: Rule; subjects: Subject[]; takesFocus: boolean; change: (rule: Rule) => void; remove: () => void }

function RuleFields({ number, rule, subjects, takesFocus, change, remove }: RuleFieldsProps) {
  const first = useRef<HTMLSelectElement>(null);
  const left = useRef<HTMLInputElement>(null);
  useEffect(() => { if (takesFocus) first.current?.focus(); }, []);
  useEffect(() => { left.current?.setCustomValidity(hasEffect(rule) ? "" : t("ruleEmpty")); });
  const { priority, duration, ...rest } = rule;
  const withPriority = (value: number | undefined): Rule => ({ ...rest, ...(duration === undefined ? {} : { duration }), ...(value === undefined ? {} : { priority: value }) });
  const withMinutes = (value: number | undefined): Rule => ({ ...rest, ...(priority === undefined ? {} : { priority }), ...(value === undefined ? {} : { duration: `${Math.round(value * 60)}s` }) });
  return (
    <fieldset class="rule">
      <legend>{t("shopRule", { number })}</legend>
      <Field label={t("ruleIf")}><select ref={first} value={String(rule.isAbsent)} onChange={(event) => { change({ ...rule, isAbsent: event.currentTarget.value === "true" }); }}>
        <option value="false">{t("ruleHas")}</option><option value="true">{t("ruleLacks")}</option>
      </select></Field>
      <Field label={t("ruleSubject")}><select value={rule.subject} onChange={(event) => { change({ ...rule, subject: event.currentTarget.value as Subject, value: "" }); }}>
        {subjects.map((one) => <option key={one} value={one}>{t(SUBJECTS[one])}</option>)}
      </select></Field>
      <Field label={t("ruleName")}><input required value={rule.name} onInput={(event) => { change({ ...rule, name: event.currentTarget.value }); }} /></Field>
      {rule.subject === "ATTRIBUTE" && <Field label={t("ruleValue")}><input value={rule.value} onInput={(event) => { change({ ...rule, value: event.currentTarget.value }); }} /></Field>}
      <AmountField label={t("priority")} most={1_000_000} step="1" amount={priority} change={(value) => { change(withPriority(value)); }} />
      <AmountField label={t("ruleMinutes")} most={1440} step="any" amount={duration === undefined ? undefined : parseFloat(duration) / 60} change={(value) => { change(withMinutes(value)); }} />
      <NamesField label={t("ruleSkills")} names={rule.requiredSkills} placeholder="" change={(requiredSkills) => { change({ ...rule, requiredSkills }); }} />
      <label class="choice"><input ref={left} type="checkbox" checked={rule.isLeft} onChange={(event) => { change({ ...rule, isLeft: event.currentTarget.checked }); }} /> {t("ruleLeft")}</label>
      <button type="button" onClick={remove} aria-label={t("shopRuleRemove", { number })}>✕</button>
    </fieldset>
  );
}

interface AmountFieldProps { label: string; most: number; step: string; amount: number | undefined; change: (amount: number | undefined) => void }

// What is typed stays as it is while it is typed: "12." is on its way to 12.5.
function AmountField({ label, most, step, amount, change }: AmountFieldProps) {
  const [text, setText] = useState(amount === undefined ? "" : String(amount));
  return <Field label={label}><input type="number" min="0" max={most} step={step} value={text} onInput={(event) => { setText(event.currentTarget.value); change(event.currentTarget.value === "" ? undefined : Number(event.currentTarget.value)); }} /></Field>;
}
