// Rules of a shop: which of its orders are left there, and what the stops of the others are given.
import { t } from "../kit/words";
import { Field } from "./dialogs";
import { NamesField } from "./names_field";

const SUBJECTS = { TAG: "ruleTag", CUSTOMER_TAG: "ruleCustomerTag", ATTRIBUTE: "ruleAttribute", DELIVERY_METHOD: "ruleMethod", LOCATION: "ruleLocation" } as const;
type Subject = keyof typeof SUBJECTS;

export interface Rule {
  subject: Subject; name: string; value: string; isAbsent: boolean;
  isLeft: boolean; priority?: number; duration?: string; requiredSkills: string[];
}

// Orders of other platforms have no tags.
const subjectsOf = (platform: string) => (Object.keys(SUBJECTS) as Subject[]).filter((one) => platform === "SHOPIFY" || !one.endsWith("TAG"));
const minutesOf = (duration: string | undefined) => (duration ? Number(duration.replace("s", "")) / 60 : "");

interface RulesFieldProps { platform: string; rules: Rule[]; change: (rules: Rule[]) => void }

export function RulesField({ platform, rules, change }: RulesFieldProps) {
  const subjects = subjectsOf(platform);
  const usual: Rule = { subject: subjects[0]!, name: "", value: "", isAbsent: false, isLeft: false, requiredSkills: [] };
  return (
    <fieldset class="rules">
      <legend>{t("shopRules")}</legend>
      <p class="soft">{t("shopRulesHint")}</p>
      {rules.map((one, index) => (
        <RuleFields
          key={`${index} of ${rules.length}`} number={index + 1} rule={one} subjects={subjects}
          change={(changed) => { change(rules.map((other, at) => (at === index ? changed : other))); }}
          remove={() => { change(rules.filter((_, at) => at !== index)); }}
        />
      ))}
      <button type="button" disabled={rules.length >= 50} onClick={() => { change([...rules, usual]); }}>{t("shopRuleAdd")}</button>
    </fieldset>
  );
}

interface RuleFieldsProps { number: number; rule: Rule; subjects: Subject[]; change: (rule: Rule) => void; remove: () => void }

function RuleFields({ number, rule, subjects, change, remove }: RuleFieldsProps) {
  const { priority, duration, ...rest } = rule;
  const amount = (text: string) => (text === "" ? undefined : Number(text));
  const withEffects = (effects: { priority: number | undefined; minutes: number | undefined }): Rule => ({
    ...rest,
    ...(effects.priority === undefined ? {} : { priority: effects.priority }),
    ...(effects.minutes === undefined ? {} : { duration: `${Math.round(effects.minutes * 60)}s` }),
  });
  const minutes = minutesOf(duration);
  return (
    <fieldset class="rule">
      <legend>{t("shopRule", { number })}</legend>
      <Field label={t("ruleIf")}><select value={String(rule.isAbsent)} onChange={(event) => { change({ ...rule, isAbsent: event.currentTarget.value === "true" }); }}>
        <option value="false">{t("ruleHas")}</option><option value="true">{t("ruleLacks")}</option>
      </select></Field>
      <Field label={t("ruleSubject")}><select value={rule.subject} onChange={(event) => { change({ ...rule, subject: event.currentTarget.value as Subject, value: "" }); }}>
        {subjects.map((one) => <option key={one} value={one}>{t(SUBJECTS[one])}</option>)}
      </select></Field>
      <Field label={t("ruleName")}><input required value={rule.name} onInput={(event) => { change({ ...rule, name: event.currentTarget.value }); }} /></Field>
      {rule.subject === "ATTRIBUTE" && <Field label={t("ruleValue")}><input value={rule.value} onInput={(event) => { change({ ...rule, value: event.currentTarget.value }); }} /></Field>}
      <Field label={t("priority")}><input type="number" min="0" max="1000000" value={priority ?? ""} onInput={(event) => { change(withEffects({ priority: amount(event.currentTarget.value), minutes: amount(String(minutes)) })); }} /></Field>
      <Field label={t("ruleMinutes")}><input type="number" min="0" max="1440" step="any" value={minutes} onInput={(event) => { change(withEffects({ priority, minutes: amount(event.currentTarget.value) })); }} /></Field>
      <NamesField label={t("ruleSkills")} names={rule.requiredSkills} placeholder="" change={(requiredSkills) => { change({ ...rule, requiredSkills }); }} />
      <label class="choice"><input type="checkbox" checked={rule.isLeft} onChange={(event) => { change({ ...rule, isLeft: event.currentTarget.checked }); }} /> {t("ruleLeft")}</label>
      <button type="button" onClick={remove} aria-label={t("shopRuleRemove", { number })}>✕</button>
    </fieldset>
  );
}
