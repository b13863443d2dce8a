// Reading a code with the camera, where the browser can; typing it everywhere.
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "./words";

const LOOK_EVERY_MS = 200;

interface Detector { detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]> }
declare global { interface Window { BarcodeDetector?: new () => Detector } }

interface ScannerProps { take: (value: string) => void; close: () => void }

export function Scanner({ take, close }: ScannerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [hasCamera, setCamera] = useState(window.BarcodeDetector !== undefined);
  const [value, setValue] = useState("");
  useEffect(() => {
    if (!window.BarcodeDetector) return;
    return watchCamera(new window.BarcodeDetector(), video.current!, take, () => { setCamera(false); });
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    if (value.trim()) take(value.trim());
  };
  return (
    <form class="scanner" onSubmit={submit}>
      {hasCamera ? <video ref={video} muted playsInline /> : <p class="soft">{t("noCamera")}</p>}
      <label>{t("code")}<input value={value} maxLength={255} autocomplete="off" onInput={(event) => { setValue(event.currentTarget.value); }} /></label>
      <p class="row"><button class="main">{t("saveCode")}</button><button type="button" class="quiet" onClick={close}>{t("cancel")}</button></p>
    </form>
  );
}

// Look at the camera's picture five times a second until a code is seen.
function watchCamera(detector: Detector, video: HTMLVideoElement, seen: (value: string) => void, failed: () => void): () => void {
  let stream: MediaStream | null = null;
  let timer = 0;
  let isOver = false;
  const look = async () => {
    const [code] = await detector.detect(video);
    if (isOver) return;
    if (code?.rawValue) seen(code.rawValue);
    else timer = window.setTimeout(() => { look().catch(failed); }, LOOK_EVERY_MS);
  };
  const start = async () => {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: 640 } });
    if (isOver) { stop(); return; }
    video.srcObject = stream;
    await video.play();
    await look();
  };
  const stop = () => { stream?.getTracks().forEach((track) => { track.stop(); }); };
  start().catch(failed);
  return () => { isOver = true; clearTimeout(timer); stop(); };
}
