// A field for several names between commas.
import { useState } from "preact/hooks";
import { t } from "../kit/words";
import { Field } from "./dialogs";

const namesOf = (text: string) => text.split(",").map((name) => name.trim()).filter(Boolean);

interface NamesFieldProps { label: string; names: string[]; placeholder: string; change: (names: string[]) => void }

// What is typed stays as it is while it is typed; the names are what stands between its commas.
export function NamesField({ label, names, placeholder, change }: NamesFieldProps) {
  const [text, setText] = useState(names.join(", "));
  return <Field label={`${label} (${t("byCommas")})`}><input value={text} placeholder={placeholder} onInput={(event) => { setText(event.currentTarget.value); change(namesOf(event.currentTarget.value)); }} /></Field>;
}
