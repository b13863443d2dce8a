// Files behind links. A link carries a member's cookie; for whoever came with API credentials the page
// asks with their token and keeps what it got as a file.
import { headersOf } from "../kit/http";
import { t } from "../kit/words";
import { complain } from "./day";
import { session } from "./session";

/** Take over a press on a link where the browser could not follow it by itself. */
export function downloadByToken(event: Event, address: string, file: string): void {
  const caller = session.value?.caller;
  if (!caller?.token) return;
  event.preventDefault();
  void download(address, file, headersOf(caller, false));
}

async function download(address: string, file: string, headers: Record<string, string>): Promise<void> {
  let response: Response;
  try {
    response = await fetch(address, { headers, credentials: "omit", cache: "no-store" });
  } catch {
    complain(t("notRead"));
    return;
  }
  if (!response.ok) {
    const { message } = (await response.json().catch(() => ({}))) as { message?: string };
    complain(message ?? t("notRead"));
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = file;
  link.click();
  setTimeout(() => { URL.revokeObjectURL(link.href); }, 60_000);
}
