// The map: one module that every application loads when it shows streets, with its worker, its sheet
// and its fonts beside it. Stable names, committed and compared as the applications are.
import { defineConfig } from "vite";

export default defineConfig({
  base: "/map/",
  publicDir: "public",
  build: {
    outDir: "../../src/roundsman/visitors/built",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_200,
    rollupOptions: {
      input: "street_map.ts",
      preserveEntrySignatures: "strict",
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js", assetFileNames: "[name][extname]" },
    },
  },
});
