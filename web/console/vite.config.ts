// Built files have stable names and no source maps, so that they can be committed and compared:
// the server tags each by its content, and needs no Node to serve them.
import { defineConfig } from "vite";

export default defineConfig({
  base: "/console/",
  publicDir: "public",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../../src/roundsman/console/built",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
});
