// Reading a code with the camera: by the browser itself where it can, else by a reader of ours that
// is loaded with the first scan. Typing it everywhere.
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "./words";

const LOOK_EVERY_MS = 200;
const MOST_FAILURES = 5; // one after the other: a single bad picture is no reason to give up

export interface Detector { detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]> }
declare global { interface Window { BarcodeDetector?: new () => Detector } }

async function makeDetector(): Promise<Detector> {
  if (window.BarcodeDetector) return new window.BarcodeDetector();
  const { PictureReader } = await import("./barcodes");
  return new PictureReader();
}

interface ScannerProps { value: string; type: (value: string) => void; take: (value: string) => void; close: () => void }

export function Scanner({ value, type, take, close }: ScannerProps) {
  const video = useRef<HTMLVideoElement>(null);
  // Browsers hide the camera from a page that came over an open connection.
  const [hasCamera, setCamera] = useState(!!navigator.mediaDevices);
  useEffect(() => {
    if (!hasCamera) return;
    return watchCamera(video.current!, take, () => { setCamera(false); });
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    if (value.trim()) take(value.trim());
  };
  return (
    <form class="scanner" onSubmit={submit}>
      {hasCamera ? <video ref={video} muted playsInline /> : <p class="soft">{t("noCamera")}</p>}
      <label>{t("code")}<input value={value} maxLength={255} autocomplete="off" onInput={(event) => { type(event.currentTarget.value); }} /></label>
      <p class="row"><button class="main">{t("saveCode")}</button><button type="button" class="quiet" onClick={close}>{t("cancel")}</button></p>
    </form>
  );
}

// Look at the camera's picture five times a second until a code is seen.
function watchCamera(video: HTMLVideoElement, seen: (value: string) => void, failed: () => void): () => void {
  let stream: MediaStream | null = null;
  let timer = 0;
  let isOver = false;
  let failures = 0;
  const detect = async (detector: Detector) => {
    try {
      const codes = await detector.detect(video);
      failures = 0;
      return codes;
    } catch (error) {
      failures += 1;
      if (failures >= MOST_FAILURES) throw error;
      return [];
    }
  };
  const look = async (detector: Detector) => {
    const [code] = await detect(detector);
    if (isOver) return;
    if (code?.rawValue) seen(code.rawValue);
    else timer = window.setTimeout(() => { look(detector).catch(giveUp); }, LOOK_EVERY_MS);
  };
  const start = async () => {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: 640 } });
    if (isOver) { stop(); return; }
    video.srcObject = stream;
    await video.play();
    await look(await makeDetector());
  };
  const stop = () => { stream?.getTracks().forEach((track) => { track.stop(); }); };
  // Whoever types the code needs no camera that watches.
  const giveUp = () => { stop(); failed(); };
  start().catch(giveUp);
  return () => { isOver = true; clearTimeout(timer); stop(); };
}
