// Under Trusted Types a worker's address must be vouched for: this one, and no other.
const WORKER = "/driver/worker.js";

interface TrustedTypes { createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string } }

export function workerAddress(): string {
  const types = (window as unknown as { trustedTypes?: TrustedTypes }).trustedTypes;
  if (!types) return WORKER;
  const policy = types.createPolicy("roundsman-worker", {
    createScriptURL(url) {
      if (url !== WORKER) throw new TypeError("no other script is loaded");
      return url;
    },
  });
  return policy.createScriptURL(WORKER);
}
