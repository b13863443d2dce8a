// Installing comes first: only an installed app keeps its storage on every phone.
import { signal } from "@preact/signals";
import { t } from "./words";

interface InstallPrompt extends Event { prompt(): Promise<void> }

const prompt = signal<InstallPrompt | null>(null);
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  prompt.value = event as InstallPrompt;
});
addEventListener("appinstalled", () => { prompt.value = null; });

const isInstalled = () => matchMedia("(display-mode: standalone)").matches;

export function InstallHint() {
  if (isInstalled()) return null;
  return (
    <details class="card">
      <summary>{t("install")}</summary>
      <p>{t("installWhy")}</p>
      {prompt.value
        ? <button type="button" onClick={() => { void prompt.value?.prompt(); }}>{t("install")}</button>
        : <p>{t("installHow")}</p>}
    </details>
  );
}
