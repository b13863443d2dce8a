// What the phone keeps as a file: a last way for what could not be sent.
import { allJournals } from "./pumps";
import type { Store } from "./store";

const BYTES_AT_ONCE = 32_768;

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) text += String.fromCharCode(...bytes.subarray(at, at + BYTES_AT_ONCE));
  return btoa(text);
}

async function contentOf(store: Store): Promise<object> {
  const { actions, files, settled } = await store.readJournal();
  const pictures = await Promise.all(files.map(async (file) => ({
    ...file, base64: base64(new Uint8Array(await new Blob(await store.readBytes(file.uploadId)).arrayBuffer())),
  })));
  return { waiting: actions.map(({ action }) => action), answered: settled.map(({ action, result }) => ({ action, result })), pictures };
}

async function contentOfAside(store: Store): Promise<object> {
  return { driver: (await store.readContents()).session?.driver, ...(await contentOf(store)) };
}

export async function exportJournal(): Promise<void> {
  const [open, ...aside] = allJournals();
  const journal = { ...(await contentOf(open!)), aside: await Promise.all(aside.map(contentOfAside)) };
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(journal)], { type: "application/json" }));
  link.download = "roundsman-journal.json";
  link.click();
  setTimeout(() => { URL.revokeObjectURL(link.href); }, 60_000);
}
