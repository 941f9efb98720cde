// The links to bookings that this tab came by. A link opens its own booking and nothing else; its token
// goes along with the calls of that booking's page.

const KEPT_AS = "bespeak.booking_links";
const PAGE = /^\/bookings\/(bkg_\w+)$/;
// What a list of bookings stores of itself is a page or two of it.
const LINKS_MAX = 200;

type Links = Record<string, string | null>;

function kept(): Links {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? "{}");
    if (typeof found !== "object" || found === null) return {};
    const texts = Object.entries(found).filter(
      (pair): pair is [string, string | null] => pair[1] === null || typeof pair[1] === "string",
    );
    return Object.fromEntries(texts);
  } catch {
    return {};
  }
}

function keep(links: Links): void {
  const newest = Object.entries(links).slice(-LINKS_MAX);
  sessionStorage.setItem(KEPT_AS, JSON.stringify(Object.fromEntries(newest)));
}

function bookingOfPage(): string | null {
  return PAGE.exec(globalThis.location.pathname)?.[1] ?? null;
}

/** Takes the token out of the address, so that it is not copied on, and stores it for this tab, so that a
 * reload works. */
export function takeLink(): void {
  const booking = bookingOfPage();
  if (booking === null) return;
  const url = new URL(globalThis.location.href);
  const token = new URLSearchParams(url.hash.slice(1)).get("token");
  if (token === null) return;
  url.hash = "";
  history.replaceState(history.state, "", url);
  keepLinks([[booking, token]]);
}

/** Stores tokens of bookings for this tab. */
export function keepLinks(links: Iterable<readonly [string, string]>): void {
  const all = kept();
  for (const [booking, token] of links) {
    delete all[booking];
    all[booking] = token;
  }
  keep(all);
}

/** The token for the booking whose page this is. */
export function linkOfPage(): string | null {
  const booking = bookingOfPage();
  return booking === null ? null : (kept()[booking] ?? null);
}

/** Forgets the token of this page's booking, which is ended or over. Says whether there was one. */
export function dropLinkOfPage(): boolean {
  const booking = bookingOfPage();
  const links = kept();
  if (booking === null || (links[booking] ?? null) === null) return false;
  keep({ ...links, [booking]: null });
  return true;
}

/** Whether this tab had a link to a booking that opens nothing any more. */
export function wasLinkDropped(booking: string): boolean {
  return kept()[booking] === null;
}

/** Forgets all tokens, as of who has signed out. */
export function clearLinks(): void {
  sessionStorage.removeItem(KEPT_AS);
}
