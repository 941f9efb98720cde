// A page that was open while the server got a newer version asks for parts that are not there any
// more. Loading it again brings the newer one; nothing that matters is only in the page.

const KEPT_AS = "bespeak.reloaded";
const ONCE_IN_MS = 30_000;

/** Whether to load the page again: not twice in a short time, because then something else is wrong. */
export function mayReload(now: number, store: Storage = sessionStorage): boolean {
  const last = Number(store.getItem(KEPT_AS) ?? "0");
  if (now - last < ONCE_IN_MS) return false;
  store.setItem(KEPT_AS, String(now));
  return true;
}

/** Loads the page again when a part of it has been replaced. */
export function reloadWhenReplaced(): void {
  globalThis.addEventListener("vite:preloadError", (event) => {
    if (!mayReload(Date.now())) return;
    event.preventDefault();
    globalThis.location.reload();
  });
}
