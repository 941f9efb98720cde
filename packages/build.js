// Builds a package into its dist/, as it is published; runs in the folder of the package.
import { spawnSync } from "node:child_process";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const tsc = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin/tsc",
);
const published = {
  extends: "./tsconfig.json",
  compilerOptions: { noEmit: false },
  include: ["src"], // and what it imports of ../core
  exclude: ["**/*.test.ts", "**/*.test.tsx"],
};
const config = "tsconfig.published.json";

rmSync("dist", { recursive: true, force: true });
writeFileSync(config, JSON.stringify(published));
try {
  const { status } = spawnSync(process.execPath, [tsc, "-p", config], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
} finally {
  rmSync(config);
}
// npm takes it into the package only from its own folder.
copyFileSync("../../LICENSE", "LICENSE");
