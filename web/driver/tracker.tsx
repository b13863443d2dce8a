// A tracker beside the app, such as OwnTracks or Traccar Client, tells where the driver is while this app is in the pocket.
import { useState } from "preact/hooks";
import { connectTracker, type Tracker } from "./app";
import { t } from "./words";

export function TrackerPart() {
  const [tracker, setTracker] = useState<Tracker | null>(null);
  const [trouble, setTrouble] = useState("");
  const connect = () => {
    connectTracker().then((made) => { setTracker(made); setTrouble(""); }, (error: unknown) => { setTrouble(error instanceof TypeError ? t("noNetwork") : error instanceof Error ? error.message : String(error)); });
  };
  return (
    <details>
      <summary>{t("tracker")}</summary>
      <p class="soft">{t("trackerWhy")}</p>
      {tracker && (
        <dl>
          <dt>OwnTracks: URL</dt><dd><code>{tracker.url}</code></dd>
          <dt>OwnTracks: Password</dt><dd><code>{tracker.token}</code></dd>
          <dt>Traccar Client: Server URL</dt><dd><code>{tracker.url}</code></dd>
          <dt>Traccar Client: Device identifier</dt><dd><code>{tracker.token}</code></dd>
        </dl>
      )}
      {trouble && <p role="alert" class="alert">{trouble}</p>}
      <button type="button" onClick={connect}>{t("connectTracker")}</button>
    </details>
  );
}
