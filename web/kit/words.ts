// Which words are shown. English comes with the page; other languages are loaded when asked for.
import { signal } from "@preact/signals";
import { en, type Words } from "../words/en";

type Key = keyof Words;

export const locale = signal("en");
const words = signal<Words>(en);

// Each language is a file of its own, so that nobody loads the words of the others.
const languages: Record<string, () => Promise<Words>> = {
  de: async () => (await import("../words/de")).de,
  es: async () => (await import("../words/es")).es,
  fr: async () => (await import("../words/fr")).fr,
  it: async () => (await import("../words/it")).it,
  nl: async () => (await import("../words/nl")).nl,
  pl: async () => (await import("../words/pl")).pl,
  pt: async () => (await import("../words/pt")).pt,
};

// The first language of the browser that we have; English when there is none.
export async function chooseLanguage(): Promise<void> {
  for (const wanted of navigator.languages) {
    const code = wanted.slice(0, 2).toLowerCase();
    const load = languages[code];
    if (!load && code !== "en") continue;
    if (load) words.value = await load();
    locale.value = wanted;
    document.documentElement.lang = code;
    return;
  }
}

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function t(key: Key, values: Record<string, string | number> = {}): string {
  const said = words.value[key];
  if (typeof said === "string") return fill(said, values);
  const form = new Intl.PluralRules(locale.value).select(Number(values["count"] ?? 0));
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = { ...said };
  return fill(forms[form] ?? said.other, values);
}
