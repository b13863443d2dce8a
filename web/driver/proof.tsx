// Proof at the door: photos, a signature, codes.
import SignaturePad from "signature_pad";
import { useEffect, useRef, useState } from "preact/hooks";
import { drafts, draftsLeft, dropDrafts, files, keepStopDraft, readFile, record } from "./app";
import type { Drafts } from "./drafts";
import { useOnce } from "./once";
import { encode, preparePhoto } from "./pictures";
import { Scanner } from "./scanner";
import type { Stop } from "./shapes";
import { store } from "./pumps";
import { room, spaceLeft, type Room } from "./space";
import { ruleOf } from "./stop_page";
import type { NewDeed, StoredFile } from "./stored";
import { t } from "./words";

interface ProofProps { routeId: string; stop: Stop }

export function Pictures({ routeId, stop }: ProofProps) {
  const [trouble, setTrouble] = useState("");
  const [space, setSpace] = useState<Room>("plenty");
  useEffect(() => { void spaceLeft(store).then(setSpace); }, [files.value.length, room.value]);
  const here = files.value.filter(({ stopId }) => stopId === stop.id);
  const keep = async (file: File, isSmall: boolean) =>
    record({ deeds: [{ deed: { kind: "PHOTO", routeId, stopId: stop.id }, file: await preparePhoto(file, isSmall) }], label: t("photo") });
  const take = async (input: HTMLInputElement) => {
    const chosen = [...(input.files ?? [])];
    setTrouble("");
    try {
      for (const file of chosen) {
        const isSmall = space !== "plenty" || room.value !== "plenty";
        const isKept = await keep(file, isSmall);
        if (!isKept && !isSmall && room.value === "none") await keep(file, true); // what did not fit may fit smaller
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

export const isDrawn = (stop: Stop) => !!drafts.value[stop.id]?.signature?.length;

// What was begun and not saved is open again wherever the driver comes from.
export function SignButton({ routeId, stop }: ProofProps) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen && !isDrawn(stop)) return <button type="button" onClick={() => { setOpen(true); }}>{t("sign")}</button>;
  return <SignatureField routeId={routeId} stop={stop} close={() => { setOpen(false); }} />;
}

function SignatureField({ routeId, stop, close }: ProofProps & { close: () => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad | null>(null);
  const [trouble, setTrouble] = useState("");
  const once = useOnce();
  const drawn = [{ key: stop.id, only: { signature: true } }];
  useEffect(() => {
    const element = canvas.current!;
    element.width = element.clientWidth * devicePixelRatio;
    element.height = element.clientHeight * devicePixelRatio;
    element.getContext("2d")!.scale(devicePixelRatio, devicePixelRatio);
    const drawing = new SignaturePad(element, { backgroundColor: "#fff", penColor: "#000" });
    drawing.fromData(drafts.value[stop.id]?.signature ?? []);
    drawing.addEventListener("endStroke", () => { void keepStopDraft({ routeId, stopId: stop.id }, { signature: [...drawing.toData()] }); });
    pad.current = drawing;
    element.scrollIntoView({ block: "nearest" });
    return () => { pad.current?.off(); };
  }, []);
  const save = async () => {
    if (pad.current!.isEmpty()) { setTrouble(t("signHere")); return; }
    const picture = await encode(canvas.current!, "image/png");
    if (await record({ deeds: [{ deed: { kind: "SIGNATURE", routeId, stopId: stop.id }, file: picture }], label: t("signature"), typed: drawn })) close();
  };
  const clear = () => {
    pad.current?.clear();
    void dropDrafts(drawn);
  };
  return (
    <div class="signing">
      {stop.customSignatureDisclosure && <p>{stop.customSignatureDisclosure}</p>}
      <p class="soft">{t("signHere")}</p>
      <canvas ref={canvas} role="img" aria-label={t("signature")} />
      {trouble && <p role="alert" class="alert">{trouble}</p>}
      <p class="row">
        <button type="button" class="main" onClick={() => { void once("signature", save); }}>{t("saveSignature")}</button>
        <button type="button" class="quiet" onClick={clear}>{t("clear")}</button>
        <button type="button" class="quiet" onClick={() => { void dropDrafts(drawn); close(); }}>{t("cancel")}</button>
      </p>
    </div>
  );
}

// A code that was typed and not saved goes along with what ends the visit, as the note does.
const codeIn = (kept: Drafts, stop: Stop) => (ruleOf("barcode") === "OFF" ? "" : kept[stop.id]?.code?.trim() ?? "");
export const isCodeTyped = (stop: Stop) => codeIn(drafts.value, stop) !== "";
export function typedCode(routeId: string, stop: Stop): NewDeed[] {
  const value = codeIn(draftsLeft(), stop);
  return value ? [{ deed: { kind: "BARCODE", routeId, stopId: stop.id, value } }] : [];
}

export function Barcodes({ routeId, stop }: ProofProps) {
  const [isOpen, setOpen] = useState(false);
  const [isTaking, setTaking] = useState(false);
  const code = drafts.value[stop.id]?.code ?? "";
  const typed = [{ key: stop.id, only: { code: true } }];
  const take = async (value: string) => {
    setTaking(true); // it is taken once, however often the button is pressed
    setOpen(false);
    await record({ deeds: [{ deed: { kind: "BARCODE", routeId, stopId: stop.id, value } }], label: t("code"), typed });
    setTaking(false);
  };
  const close = () => {
    setOpen(false);
    void dropDrafts(typed);
  };
  return (
    <>
      {stop.proofOfDeliveryBarcodes.length > 0 && <ul aria-label={t("codes")} class="items">{stop.proofOfDeliveryBarcodes.map(({ value }, index) => <li key={index}>{value}</li>)}</ul>}
      {(isOpen || code) && !isTaking
        ? <Scanner value={code} type={(text) => { setOpen(true); void keepStopDraft({ routeId, stopId: stop.id }, { code: text }); }} take={(value) => { void take(value); }} close={close} />
        : <button type="button" onClick={() => { setOpen(true); }}>{t("scan")}</button>}
    </>
  );
}
