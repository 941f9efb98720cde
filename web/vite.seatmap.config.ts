// The seat map alone, as one module with a stable name for any site to load.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { aliases } from "./vite.config.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: { alias: aliases },
  build: {
    outDir: here("./built/embed"),
    emptyOutDir: true,
    copyPublicDir: false,
    target: "es2022",
    lib: {
      entry: here("./src/seatmap/element.ts"),
      formats: ["es"],
      fileName: () => "seatmap.js",
    },
  },
});
