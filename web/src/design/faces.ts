// Our own faces, 86 kB, come after what the page is about: on a slow network they would take its line from the
// program and hold everything up. They are put on when the visitor goes on, so that no text changes while it
// is read; a browser that had them once has them from the first paint on (firstPaint.js).

const KEPT_AS = "bespeak.faces";
const OWN = "own";
const FACES = ["400 1em Inter", "560 1em Fraunces"];
const QUIET_MS = 1_000;
const WAIT_MS_MAX = 10_000;

/** Has the own faces brought when nothing else is on its way any more, for the next page. */
export async function startFaces(): Promise<void> {
  const { dataset } = document.documentElement;
  if (localStorage.getItem(KEPT_AS) === OWN) dataset["faces"] = OWN; // of pages without a first paint
  if (dataset["faces"] === OWN) return;
  await quiet();
  await Promise.all(FACES.map((face) => document.fonts.load(face)));
  localStorage.setItem(KEPT_AS, OWN);
  dataset["faces"] = "ready";
  // The router posts the first of them.
  for (const moved of ["pushState", "popstate"]) {
    addEventListener(moved, () => (dataset["faces"] = OWN), { once: true });
  }
}

/** Ends when no file and no answer has come for a moment and the page is drawn, which takes a slow processor longer;
 * or after a while, where something always comes. */
function quiet(): Promise<void> {
  return new Promise((done) => {
    const finish = () => {
      arrivals.disconnect();
      clearTimeout(timer);
      clearTimeout(latest);
      done();
    };
    // Not every browser tells when it has nothing to do.
    const idle = () => (globalThis.requestIdleCallback ?? finish)(finish);
    let timer = setTimeout(idle, QUIET_MS);
    const latest = setTimeout(finish, WAIT_MS_MAX);
    const arrivals = new PerformanceObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(idle, QUIET_MS);
    });
    arrivals.observe({ type: "resource" });
  });
}
