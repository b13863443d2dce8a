// Trusted Types: a string becomes the address of a worker only where it is one of ours, and becomes
// markup only with everything in it escaped. MapLibre gives its worker's address as a string, and
// reads attributions as markup; both go through the page's default policy.
interface Rules { createHTML(text: string): string; createScriptURL(url: string): string }
interface TrustedTypes { createPolicy(name: "default", rules: Rules): unknown }

const vouched = new Set<string>();
let hasPolicy = false;

export function vouchForWorkers(...addresses: string[]): void {
  for (const address of addresses) vouched.add(new URL(address, location.href).href);
  const types = (window as unknown as { trustedTypes?: TrustedTypes }).trustedTypes;
  if (hasPolicy || !types) return;
  hasPolicy = true;
  types.createPolicy("default", {
    createHTML: (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    createScriptURL(url) {
      if (!vouched.has(new URL(url, location.href).href)) throw new TypeError("no other script is loaded");
      return url;
    },
  });
}
