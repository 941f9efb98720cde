// What the bank asks a buyer: mostly on a page of its own, to which one goes and comes back; or in a window
// that the provider's script opens in ours. The latter is told as an address of our own checkout whose
// fragment has a secret, which must stay in no address bar and no history.

const SECRET = "stripe_action";

/** The secret of a payment that is asked about here; null if the address is one to go to. */
export function secretOf(url: string, origin: string = globalThis.location.origin): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.origin !== origin) return null;
  if (!parsed.pathname.startsWith("/checkout/")) return null;
  return new URLSearchParams(parsed.hash.slice(1)).get(SECRET);
}

/** Takes a secret out of the page's own address, for those who were sent there; whether there was one. */
export function takeSecret(): boolean {
  const { href } = globalThis.location;
  if (secretOf(href) === null) return false;
  const url = new URL(href);
  url.hash = "";
  history.replaceState(history.state, "", url);
  return true;
}
