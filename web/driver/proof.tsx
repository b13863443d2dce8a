// Proof at the door: photos, a signature, codes.
import SignaturePad from "signature_pad";
import { useEffect, useRef, useState } from "preact/hooks";
import { files, readFile, record, spaceLeft } from "./app";
import { encode, preparePhoto } from "./pictures";
import { Scanner } from "./scanner";
import type { Stop } from "./shapes";
import { ruleOf } from "./stop_page";
import type { StoredFile } from "./store";
import { t } from "./words";

interface ProofProps { routeId: string; stop: Stop }

export function Pictures({ routeId, stop }: ProofProps) {
  const [trouble, setTrouble] = useState("");
  const [space, setSpace] = useState<"plenty" | "little" | "none">("plenty");
  useEffect(() => { void spaceLeft().then(setSpace); }, [files.value.length]);
  const here = files.value.filter(({ stopId }) => stopId === stop.id);
  const take = async (input: HTMLInputElement) => {
    const chosen = [...(input.files ?? [])];
    setTrouble("");
    try {
      for (const file of chosen) {
        const picture = await preparePhoto(file, space !== "plenty");
        await record({ deeds: [{ deed: { kind: "PHOTO", routeId, stopId: stop.id }, file: picture }], label: t("photo") });
      }
    } catch {
      setTrouble(t("photoFailed")); // the browser says no more than that
    }
    input.value = "";
  };
  const hasSome = here.length > 0 || stop.proofOfDeliveryPhotos.length > 0 || stop.proofOfDeliverySignatures.length > 0;
  return (
    <>
      {hasSome && (
        <ul class="pictures">
          {stop.proofOfDeliveryPhotos.map((photo, index) => <li key={photo.id}><img src={photo.url} alt={`${t("photo")} ${index + 1}`} /></li>)}
          {stop.proofOfDeliverySignatures.map((one, index) => <li key={one.id}><img src={one.url} alt={`${t("signature")} ${index + 1}`} /></li>)}
          {here.map((file) => <li key={file.uploadId}><KeptPicture file={file} number={numberOf(file, here, stop)} /></li>)}
        </ul>
      )}
      {ruleOf("photo") !== "OFF" && (space === "none"
        ? <p role="alert" class="alert">{t("photoFull")}</p>
        : <label class="button photo">{t("photo")}<input type="file" accept="image/*" capture="environment" onChange={(event) => { void take(event.currentTarget); }} /></label>)}
      {space === "little" && <p class="soft">{t("almostFull")}</p>}
      {trouble && <p role="alert" class="alert">{trouble}</p>}
    </>
  );
}

function numberOf(file: StoredFile, here: StoredFile[], stop: Stop): number {
  const arrived = file.kind === "SIGNATURE" ? stop.proofOfDeliverySignatures : stop.proofOfDeliveryPhotos;
  return arrived.length + here.filter(({ kind }) => kind === file.kind).indexOf(file) + 1;
}

// A picture that is on the phone.
function KeptPicture({ file, number }: { file: StoredFile; number: number }) {
  const [url, setUrl] = useState("");
  useEffect(() => {
    let made = "";
    void readFile(file.uploadId).then((rows) => {
      made = URL.createObjectURL(new Blob(rows, { type: file.type }));
      setUrl(made);
    });
    return () => { URL.revokeObjectURL(made); };
  }, [file.uploadId]);
  const words = file.kind === "SIGNATURE" ? t("signature") : t("photo");
  return <>{url && <img src={url} alt={`${words} ${number}`} />}{file.trouble && <span class="bad">{file.trouble}</span>}</>;
}

export function SignButton({ routeId, stop }: ProofProps) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) return <button type="button" onClick={() => { setOpen(true); }}>{t("sign")}</button>;
  return <SignatureField routeId={routeId} stop={stop} close={() => { setOpen(false); }} />;
}

function SignatureField({ routeId, stop, close }: ProofProps & { close: () => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad | null>(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    const element = canvas.current!;
    element.width = element.clientWidth * devicePixelRatio;
    element.height = element.clientHeight * devicePixelRatio;
    element.getContext("2d")!.scale(devicePixelRatio, devicePixelRatio);
    pad.current = new SignaturePad(element, { backgroundColor: "#fff", penColor: "#000" });
    element.scrollIntoView({ block: "nearest" });
    return () => { pad.current?.off(); };
  }, []);
  const save = async () => {
    if (pad.current!.isEmpty()) { setTrouble(t("signHere")); return; }
    const picture = await encode(canvas.current!, "image/png");
    if (await record({ deeds: [{ deed: { kind: "SIGNATURE", routeId, stopId: stop.id }, file: picture }], label: t("signature") })) close();
  };
  return (
    <div class="signing">
      {stop.customSignatureDisclosure && <p>{stop.customSignatureDisclosure}</p>}
      <p class="soft">{t("signHere")}</p>
      <canvas ref={canvas} role="img" aria-label={t("signature")} />
      {trouble && <p role="alert" class="alert">{trouble}</p>}
      <p class="row">
        <button type="button" class="main" onClick={() => { void save(); }}>{t("saveSignature")}</button>
        <button type="button" class="quiet" onClick={() => { pad.current?.clear(); }}>{t("clear")}</button>
        <button type="button" class="quiet" onClick={close}>{t("cancel")}</button>
      </p>
    </div>
  );
}

export function Barcodes({ routeId, stop }: ProofProps) {
  const [isOpen, setOpen] = useState(false);
  const take = (value: string) => {
    setOpen(false);
    void record({ deeds: [{ deed: { kind: "BARCODE", routeId, stopId: stop.id, value } }], label: t("code") });
  };
  return (
    <>
      {stop.proofOfDeliveryBarcodes.length > 0 && <ul aria-label={t("codes")} class="items">{stop.proofOfDeliveryBarcodes.map(({ value }, index) => <li key={index}>{value}</li>)}</ul>}
      {isOpen ? <Scanner take={take} close={() => { setOpen(false); }} /> : <button type="button" onClick={() => { setOpen(true); }}>{t("scan")}</button>}
    </>
  );
}
