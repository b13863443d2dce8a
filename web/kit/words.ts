// Which words are shown. English comes with the page; other languages are loaded when asked for.
import { signal } from "@preact/signals";
import { en, type Words } from "../words/en";

type Count = { one: string; other: string };
type Key = keyof Words;

export const locale = signal("en");
const words = signal<Words>(en);

export async function chooseLanguage(load: (code: string) => Promise<Words | null>): Promise<void> {
  for (const wanted of navigator.languages) {
    const code = wanted.slice(0, 2).toLowerCase();
    const found = code === "en" ? en : await load(code);
    if (!found) continue;
    words.value = found;
    locale.value = wanted;
    document.documentElement.lang = code;
    return;
  }
}

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function t(key: Key, values: Record<string, string | number> = {}): string {
  const said: string | Count = words.value[key];
  if (typeof said === "string") return fill(said, values);
  const form = new Intl.PluralRules(locale.value).select(Number(values["count"] ?? 0));
  return fill(form === "one" ? said.one : said.other, values);
}
