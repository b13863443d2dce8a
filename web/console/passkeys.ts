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

// The browser's answer; empty where the person has none, or has changed their mind.
async function answerOf(asked: Promise<Credential | null>): Promise<string> {
  try {
    const answer = await asked;
    return answer ? JSON.stringify((answer as PublicKeyCredential).toJSON()) : "";
  } catch (error) {
    if (error instanceof DOMException && ["NotAllowedError", "AbortError", "InvalidStateError"].includes(error.name)) return "";
    throw error;
  }
}

export function makePasskey(options: string): Promise<string> {
  const browser = fromJson();
  if (!browser) return Promise.resolve("");
  return answerOf(navigator.credentials.create({ publicKey: browser.parseCreationOptionsFromJSON(JSON.parse(options)) }));
}

export function usePasskey(options: string): Promise<string> {
  const browser = fromJson();
  if (!browser) return Promise.resolve("");
  return answerOf(navigator.credentials.get({ publicKey: browser.parseRequestOptionsFromJSON(JSON.parse(options)) }));
}
