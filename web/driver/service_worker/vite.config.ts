// The service worker is one classic script beside the app's files.
import { defineConfig } from "vite";

export default defineConfig({
  publicDir: false,
  build: {
    outDir: "../../../src/roundsman/driver/built",
    emptyOutDir: false,
    target: "es2022",
    lib: { entry: "worker.ts", formats: ["iife"], name: "worker", fileName: () => "worker.js" },
  },
});
