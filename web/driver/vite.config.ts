// As the console's: stable names, no source maps, committed and compared.
import { defineConfig } from "vite";

// The reader of codes would ask a public server for its program; the app has it beside itself.
const withoutPublicServer = {
  name: "without-public-server",
  transform: (code: string, id: string) =>
    id.includes("zxing-wasm") ? code.replace(/https:\/\/fastly[^`]*/, "") : undefined,
};

export default defineConfig({
  base: "/driver/",
  publicDir: "public",
  plugins: [withoutPublicServer],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../../src/roundsman/driver/built",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: {
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js", assetFileNames: "[name][extname]" },
    },
  },
});
