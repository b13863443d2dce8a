// The words of the console.
import { en, type Words } from "../words/en";
import { windowSayer } from "./times";
import { wordingOf } from "./wording";

// Each language is a file of its own, so that nobody loads the words of the others.
export const { locale, choose: chooseLanguage, t } = wordingOf<Words>(en, {
  de: async () => (await import("../words/de")).de,
  es: async () => (await import("../words/es")).es,
  fr: async () => (await import("../words/fr")).fr,
  it: async () => (await import("../words/it")).it,
  nl: async () => (await import("../words/nl")).nl,
  pl: async () => (await import("../words/pl")).pl,
  pt: async () => (await import("../words/pt")).pt,
});

export const sayWindow = windowSayer(t);
