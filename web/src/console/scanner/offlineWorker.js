// Gives the entrance page out when there is no network, and nothing else: its page, and the files that
// the build has named for it (`BUILT`, which vite.config.ts writes above this). No answer of the API is
// kept here. While the server answers, the page is the server's: this stands back for every new one.
/* global BUILT */
const PAGE = "/console/scanner";
const OWN = "bespeak-scanner-";
const CACHE = OWN + BUILT.version;
/** People stand in line: a network that hangs is as none. */
const PATIENCE_MS = 5000;

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("activate", (event) => event.waitUntil(takeOver()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(pageOf(request));
  else if (pathname.startsWith("/assets/")) event.respondWith(fileOf(request, pathname));
});

async function fill() {
  const cache = await caches.open(CACHE);
  const page = await fetch(PAGE, { cache: "no-cache", headers: { accept: "text/html" } });
  // A page of another build needs other files. The browser tries again when the page is next opened.
  const isOurs = page.ok && !page.redirected && (await page.clone().text()).includes(BUILT.entry);
  if (!isOurs) throw new Error("the entrance page is of another build");
  await cache.addAll(BUILT.files);
  await cache.put(PAGE, page);
  await skipWaiting();
}

/** The files of the build before stay, for pages that are still open. */
async function takeOver() {
  const others = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await clients.claim();
}

async function pageOf(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(PAGE);
  if (kept === undefined) return fetch(request);
  try {
    const answer = await Promise.race([fetch(request), tooLate()]);
    return answer.status >= 500 ? kept : answer;
  } catch {
    return kept;
  }
}

/** Names of files have their content's hash, so what is kept is never older than what is asked for. */
async function fileOf(request, pathname) {
  return (await caches.match(pathname)) ?? fetch(request);
}

function tooLate() {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error("no answer")), PATIENCE_MS);
  });
}
