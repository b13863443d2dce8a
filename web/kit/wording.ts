// Words of an application in several languages: English comes with the page, another language is
// loaded when the browser asks for it.
import { computed, signal, type Signal } from "@preact/signals";

export type Said = string | { readonly [form in Intl.LDMLPluralRule]?: string } & { readonly other: string };
type Values = Record<string, string | number>;

export interface Wording<Words> {
  locale: Signal<string>;
  choose(): Promise<void>;
  t(key: keyof Words, values?: Values): string;
}

export function wordingOf<Words extends object>(english: Words, languages: Record<string, () => Promise<Words>>): Wording<Words> {
  const locale = signal("en");
  const words = signal<Words>(english);
  const plural = computed(() => new Intl.PluralRules(locale.value));

  // The first language of the browser that we have; English when there is none.
  async function choose(): Promise<void> {
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

  function t(key: keyof Words, values: Values = {}): string {
    const said = words.value[key] as Said;
    if (typeof said === "string") return fill(said, values);
    const form = plural.value.select(Number(values["count"] ?? 0));
    return fill(said[form] ?? said.other, values);
  }

  return { locale, choose, t };
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
