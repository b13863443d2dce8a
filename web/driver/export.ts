// The journal as a file: a last way for what could not be sent.
import { actions, files, readFile, settled } from "./app";

const BYTES_AT_ONCE = 32_768;

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) text += String.fromCharCode(...bytes.subarray(at, at + BYTES_AT_ONCE));
  return btoa(text);
}

export async function exportJournal(): Promise<void> {
  const pictures = await Promise.all(files.value.map(async (file) => ({
    ...file, base64: base64(new Uint8Array(await new Blob(await readFile(file.uploadId)).arrayBuffer())),
  })));
  const journal = { waiting: actions.value.map(({ action }) => action), answered: settled.value.map(({ action, result }) => ({ action, result })), pictures };
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(journal)], { type: "application/json" }));
  link.download = "roundsman-journal.json";
  link.click();
  setTimeout(() => { URL.revokeObjectURL(link.href); }, 60_000);
}
