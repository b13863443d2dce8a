// Photos and signatures as they are kept: made small, hashed, with the time and place that a camera
// notes beside them left out.
import type { NewFile } from "./stored";

const LONGEST_SIDE = 1_600;
const LONGEST_SIDE_WHEN_FULL = 1_000;
const QUALITY = 0.8;

export async function preparePhoto(file: Blob, isSpaceScarce: boolean): Promise<NewFile> {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const longest = isSpaceScarce ? LONGEST_SIDE_WHEN_FULL : LONGEST_SIDE;
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return encode(canvas, "image/jpeg");
}

export async function encode(canvas: HTMLCanvasElement, type: "image/jpeg" | "image/png"): Promise<NewFile> {
  const blob = await new Promise<Blob | null>((resolve) => { canvas.toBlob(resolve, type, QUALITY); });
  if (!blob) throw new Error("the picture could not be encoded");
  const bytes = await blob.arrayBuffer();
  return { uploadId: crypto.randomUUID(), type, bytes, sha256: await hashOf(bytes) };
}

async function hashOf(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
