// Reads codes in the camera's picture where the browser has no reader of its own (Safari, Firefox, and
// Chromium on desktops): ZXing-C++, compiled for browsers. A chunk that is loaded with the first scan.
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import program from "zxing-wasm/reader/zxing_reader.wasm?url";
import type { Detector } from "./scanner";

prepareZXingModule({ overrides: { locateFile: () => program } });

export class PictureReader implements Detector {
  #canvas = document.createElement("canvas");

  async detect(video: HTMLVideoElement): Promise<{ rawValue: string }[]> {
    const { videoWidth: width, videoHeight: height } = video;
    this.#canvas.width = width;
    this.#canvas.height = height;
    const pen = this.#canvas.getContext("2d", { willReadFrequently: true })!;
    pen.drawImage(video, 0, 0);
    const codes = await readBarcodes(pen.getImageData(0, 0, width, height), { maxNumberOfSymbols: 1 });
    return codes.map((code) => ({ rawValue: code.text }));
  }
}
