// The widgets, as one module with a stable name for any site to load, beside the seat map.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { aliases } from "./vite.config.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: { alias: aliases },
  build: {
    outDir: here("./built/embed"),
    emptyOutDir: false, // the seat map is there already
    copyPublicDir: false,
    target: "es2022",
    lib: {
      entry: here("./src/widgets/widgets.ts"),
      formats: ["es"],
      fileName: () => "widgets.js",
    },
  },
});
