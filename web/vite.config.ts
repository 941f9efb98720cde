// The pages: the shop, the console, the page that shows how to embed the seat map, and the reference of
// the API. They are built into the Python package, whose server gives them out with its own headers.
import { basename } from "node:path";
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import type { HtmlTagDescriptor, IndexHtmlTransformContext, Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { readReference } from "./src/docs/book/reference.ts";

type Bundle = NonNullable<IndexHtmlTransformContext["bundle"]>;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
// The packages from their sources, so that nothing has to be built first.
export const aliases = {
  "~": here("./src"),
  "@bespeak/browser": here("../packages/browser/src/index.ts"),
};
// What entry points need; what every page needs; and what the pages of the shop share.
const AHEAD =
  /rolldown\/runtime|packages\/(browser|core)\/|src\/(api\/|i18n\/(locale|region)\.ts)|shop\/(ahead|askedAhead|days|cinema\/(firstPage|nearest)|\w+\/pages|sessionKeeper|pageLinks|passes|loadVerticals|shell\/reload)|(bookings|waitlist)\/links\.ts|bookings\/leftLines\.ts|vite\/preload-helper/;
const LIBRARIES =
  /node_modules\/(react|react-dom|scheduler|react-i18next|i18next|@tanstack|wouter|regexparam|mitt|use-sync-external-store|void-elements|html-parse-stringify)\/|src\/(design\/.*\.tsx?$|i18n\/(index|format|currencies)\.ts)/;
const PARTS =
  /src\/(shop\/((?!main|ahead|askedAhead|loadVerticals|sessionKeeper)\w+\.tsx?$|\w+\/(vertical|onSale|\w+Link)\.tsx?$|cinema\/(?!pages|FilmPage|ShowTimes|fullness)\w+\.tsx?$|cinema\/words\/|shell\/\w+\.tsx?$|merchant\/(merchant|legal)|guest\/(?!ForgetDialog)|refunds\/\w+\.tsx?$|bookings\/refunds|checkout\/(useHold|contact)|show\/placeHold\.ts|waiting\/(keptTokens|PremiereLine|Until)|calendar\/|search\/\w+\.tsx?$))/;
// What the shop and the seat map share. It must not be with the parts: these bring the shop's styles, and
// with them its entry point, into pages that only show a map.
const ROOMS = /src\/seatmap\/(plan|seats|samples|vocabulary)\.ts/;
// What comes together when one of a kind of pages is opened.
const PAGES = {
  programme: /src\/shop\/programme\/(?!pages)/,
  stays:
    /src\/shop\/stays\/(?!pages|map|ChangePage|NewStay|changing|listings|PartyRooms|StayBooking|RateStay)/,
  seatmap: /src\/(seatmap\/|i18n\/(elementWords|locales\/\w+\/seatmap\.json))/,
  waiting: /src\/shop\/waiting\//,
  show: /src\/shop\/show\//,
  // Stripe's form, and what loads it, only where it is paid with.
  checkout: /src\/shop\/(checkout\/(?!stripe\/)|order|questions)\//,
};
const API = process.env["BESPEAK_URL"] ?? "http://127.0.0.1:8000";

// In development as from the real server: a page's address has no .html.
const pages: Plugin = {
  name: "bespeak-pages",
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      const path = (request.url ?? "/").split("?")[0] ?? "/";
      const isPage = request.headers.accept?.includes("text/html") && !path.startsWith("/v1");
      if (isPage && !path.endsWith(".html")) {
        const name = /^\/(console|docs|embed)(\/|$)/.exec(path)?.[1] ?? "shop";
        request.url = `/${name}.html`;
      }
      next();
    });
  },
};

// Entry points are small and bring the program by `import("./start")`. The page's head names it, so
// that it is on its way at once; behind the styles, because the first paint needs those alone.
const programs: Plugin = {
  name: "bespeak-programs",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle, filename }) {
      const page = basename(filename, ".html");
      const files = bundle === undefined ? [] : programOf(bundle, here(`./src/${page}/start.tsx`));
      if (files.length === 0) return html;
      const low = html.replace(
        /<script type="module"|<link rel="modulepreload"/g,
        '$& fetchpriority="low"',
      );
      const attrs = { rel: "modulepreload", crossorigin: true, fetchpriority: "low" };
      const tags: HtmlTagDescriptor[] = files
        .filter((file) => !html.includes(file))
        .map((file) => ({ tag: "link", attrs: { ...attrs, href: `/${file}` }, injectTo: "head" }));
      return { html: low, tags };
    },
  },
};

/** The file of a module, and what it imports, directly or not; the longest first, because it is what the
 * page waits for. */
function programOf(bundle: Bundle, module: string): string[] {
  const found = filesOf(bundle, (id) => id === module);
  const length = (file: string) => {
    const one = bundle[file];
    return one?.type === "chunk" ? one.code.length : 0;
  };
  return [...found].sort((one, other) => length(other) - length(one));
}

/** The files of some modules, and what they import, directly or not. */
function filesOf(bundle: Bundle, isWanted: (module: string) => boolean): Set<string> {
  const files = Object.values(bundle).flatMap((one) =>
    one.type === "chunk" && one.moduleIds.some(isWanted) ? [one.fileName] : [],
  );
  const found = new Set(files);
  for (const file of found) {
    const chunk = bundle[file];
    if (chunk?.type === "chunk") for (const other of chunk.imports) found.add(other);
  }
  return found;
}

// The worker that gives the entrance page out without a network, with the names of all that this page
// loads. A build with other files, another page or another worker is another version.
const OFFLINE =
  /src\/console\/(main\.ts|start\.tsx|scanner\/ScannerPage\.tsx)$|locales\/\w+\/(design|console)\.json$|node_modules\/qr\/decode\.js$/;
const WORKER = here("./src/console/scanner/offlineWorker.js");
const offline: Plugin = {
  name: "bespeak-offline",
  apply: "build",
  // Afterwards, when what held styles alone is no script any more.
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const files = filesOf(bundle, (id) => OFFLINE.test(id));
      if (files.size === 0) return;
      for (const file of [...files]) {
        const chunk = bundle[file];
        if (chunk?.type !== "chunk") continue;
        for (const styles of chunk.viteMetadata?.importedCss ?? []) files.add(styles);
      }
      const [entry = ""] = [...files].filter((file) => {
        const chunk = bundle[file];
        return chunk?.type === "chunk" && chunk.isEntry && chunk.name === "console";
      });
      if (entry === "") this.error("the console has no entry point");
      const names = [...files].sort().map((file) => `/${file}`);
      const source = readFileSync(WORKER, "utf-8");
      const page = [here("./console.html"), ...FIRST.map((file) => here(`./src/${file}`))];
      const texts = page.map((file) => readFileSync(file, "utf-8"));
      const digest = createHash("sha256")
        .update([...names, source, ...texts].join("\n"))
        .digest("hex");
      const built = { version: digest.slice(0, 16), entry: `/${entry}`, files: names };
      this.emitFile({
        type: "asset",
        fileName: "console/scanner-worker.js",
        source: `const BUILT = ${JSON.stringify(built)};\n${source}`,
      });
    },
  },
};

// The scripts that run before the first paint; they wait for no file.
const FIRST = ["design/firstPaint.js"];
const FIRST_OF_SHOP = ["shop/firstCall.js", ...FIRST, "design/firstFormats.js"];
const firstPaint: Plugin = {
  name: "bespeak-first-paint",
  transformIndexHtml: (html, { filename }) => {
    if (html.includes('<div id="root"></div>')) return []; // its program paints first
    const files = basename(filename) === "shop.html" ? FIRST_OF_SHOP : FIRST;
    const children = files.map((file) => packedText(here(`./src/${file}`))).join(" ");
    return [{ tag: "script", children, injectTo: "head-prepend" }];
  },
};

/** A script without its comments and line breaks. */
function packedText(file: string): string {
  return readFileSync(file, "utf-8")
    .replaceAll(/^\/\/.*\n/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

// What docs/reference says of calls and errors, as data: `import reference from "virtual:reference"`.
const REFERENCE = "virtual:reference";
const reference: Plugin = {
  name: "bespeak-reference",
  resolveId: (id) => (id === REFERENCE ? `\0${REFERENCE}` : null),
  load(id) {
    if (id !== `\0${REFERENCE}`) return null;
    const files = globSync(here("../docs/reference/**/*.md")).sort();
    for (const file of files) this.addWatchFile(file);
    const said = readReference(files.map((file) => readFileSync(file, "utf-8")));
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(said))});`;
  },
};

export default defineConfig({
  plugins: [react(), pages, programs, firstPaint, reference, offline],
  resolve: { alias: aliases },
  build: {
    // scripts/web puts it in its place when all of it is there.
    outDir: here("./built"),
    emptyOutDir: true,
    target: "es2023",
    // Inlined assets would be data: URLs, which the pages' policy allows for pictures only.
    assetsInlineLimit: 0,
    // Browsers of the target know rel="modulepreload"; what stands in for it would be a request more.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A request costs a slow phone more than the few bytes of a small file that it does not need.
          includeDependenciesRecursively: false,
          groups: [
            { name: "ahead", test: AHEAD, priority: 3 },
            { name: "libraries", test: LIBRARIES, priority: 2 },
            { name: "rooms", test: ROOMS, priority: 2 },
            { name: "parts", test: PARTS, priority: 1 },
            ...Object.entries(PAGES).map(([name, test]) => ({ name, test, priority: 0 })),
          ],
        },
      },
      input: {
        shop: here("./shop.html"),
        console: here("./console.html"),
        docs: here("./docs.html"),
        embed: here("./embed.html"),
      },
    },
  },
  server: {
    proxy: { "/v1": API, "/sandbox": API, "/embed/seatmap.js": API, "/embed/widgets.js": API },
  },
  // One worker runs many files, and only tests that need a document have one: to start both anew for
  // each file took longer than the tests.
  test: { isolate: false, include: ["src/**/*.test.{ts,tsx}"] },
});
