// What a page of the shop needs next, begun while its program is still on its way: the visitor's
// session, the verticals, and the page's own part.
import { preferredLocale, readWords } from "~/i18n/locale";
import { loadAllVerticals } from "./loadVerticals";
import { openAhead } from "./sessionKeeper";

type Pages = Readonly<Record<string, () => Promise<unknown>>>;

/** The pages of a vertical, and the file of words that they come with, if it is one of its own. */
type OfVertical = { readonly PAGES: Pages; readonly WORDS?: string };

const OF_VERTICALS = import.meta.glob<OfVertical>("./*/pages.ts", { eager: true });

/** The pages on the way to a ticket, by their path. */
export const PAGES = {
  "/shows/:show": () => import("./show/SeatsPage"),
  "/checkout/:hold": () => import("./checkout/CheckoutPage"),
};

/** Ends when the session's call is on its way. A phone without HTTP/2 makes six requests at a time, and
 * that one is the first of a chain: the files must not stand before it. What fails here fails again for
 * whoever needs it, and is shown there. */
export async function startSession(): Promise<void> {
  openAhead().catch(() => undefined);
  await new Promise((sent) => setTimeout(sent));
}

export function loadAhead(path: string): void {
  const begun = [...pagesAt(path).flatMap((bring) => bring()), loadAllVerticals()];
  for (const one of begun) one.catch(() => undefined);
}

/** What brings the pages at a path, each with its words: one, or none. */
function pagesAt(path: string): (() => Promise<unknown>[])[] {
  const found: OfVertical[] = [{ PAGES }, ...Object.values(OF_VERTICALS)];
  return found.flatMap(({ PAGES: pages, WORDS: words }) =>
    Object.entries(pages)
      .filter(([route]) => fits(route, path))
      .map(([, load]) => () => [
        load(),
        ...(words === undefined ? [] : [readWords(preferredLocale(), words)]),
      ]),
  );
}

/** Whether a path is one of a route such as `/films/:film`. */
export function fits(route: string, path: string): boolean {
  const parts = path.split("/");
  const wanted = route.split("/");
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => part.startsWith(":") || part === parts[index])
  );
}
