// Passkeys in the browser: made and used as the server's options say, both ways as JSON text.

interface FromJson {
  parseCreationOptionsFromJSON(options: unknown): PublicKeyCredentialCreationOptions;
  parseRequestOptionsFromJSON(options: unknown): PublicKeyCredentialRequestOptions;
}

function fromJson(): FromJson | null {
  const found = (globalThis as { PublicKeyCredential?: Partial<FromJson> }).PublicKeyCredential;
  return found?.parseCreationOptionsFromJSON && found.parseRequestOptionsFromJSON ? found as FromJson : null;
}

export const hasPasskeys = (): boolean => fromJson() !== null;

// Why there is no passkey: the browser makes none, the device has one of this account, or nobody
// confirmed it in time.
export type NoPasskey = "unsupported" | "known" | "unconfirmed";

interface Answered { credential: string; why?: NoPasskey }

async function answerOf(asked: Promise<Credential | null>): Promise<Answered> {
  try {
    const answer = await asked;
    return answer ? { credential: JSON.stringify((answer as PublicKeyCredential).toJSON()) } : { credential: "", why: "unconfirmed" };
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === "InvalidStateError") return { credential: "", why: "known" };
    if (["NotAllowedError", "AbortError"].includes(error.name)) return { credential: "", why: "unconfirmed" };
    throw error;
  }
}

export async function makePasskey(options: string): Promise<Answered> {
  const browser = fromJson();
  if (!browser) return { credential: "", why: "unsupported" };
  return answerOf(navigator.credentials.create({ publicKey: browser.parseCreationOptionsFromJSON(JSON.parse(options)) }));
}

// The browser's answer; empty where the person has none, or has changed their mind.
export async function usePasskey(options: string): Promise<string> {
  const browser = fromJson();
  if (!browser) return "";
  return (await answerOf(navigator.credentials.get({ publicKey: browser.parseRequestOptionsFromJSON(JSON.parse(options)) }))).credential;
}
