// Leaves a .br and a .gz beside every built text file that is worth it, so that the server
// compresses nothing while it serves.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const SITE = new URL("./built/", import.meta.url).pathname;
const WORTH_BYTES = 1024;

for (const name of readdirSync(SITE, { recursive: true, encoding: "utf-8" })) {
  if (!/\.(js|css|html|svg|json|txt)$/.test(name)) continue;
  const path = join(SITE, name);
  const content = readFileSync(path);
  if (content.length < WORTH_BYTES) continue;
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  );
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}
