// After an update of the server, an open page asks for files that are gone; a reload brings the new
// version.

const KEPT_AS = "bespeak.reloaded";
const ONCE_IN_MS = 30_000;

/** Not twice in a short time, because then something else is wrong. */
export function mayReload(now: number, store: Storage = sessionStorage): boolean {
  const last = Number(store.getItem(KEPT_AS) ?? "0");
  if (now - last < ONCE_IN_MS) return false;
  store.setItem(KEPT_AS, String(now));
  return true;
}

export function reloadWhenReplaced(): void {
  globalThis.addEventListener("vite:preloadError", (event) => {
    if (!mayReload(Date.now())) return;
    event.preventDefault();
    globalThis.location.reload();
  });
}

/** A part of the program that is brought later. One that is gone with an update never comes: the page is
    being loaded anew, and what waits for the part must not fail in its last moment. */
export async function brought<Part extends object>(
  coming: Promise<Part | undefined>,
): Promise<Part> {
  return (await coming) ?? (await new Promise<never>(() => undefined));
}
