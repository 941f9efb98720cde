// What a page of the shop needs next, begun while its program is still on its way: the visitor's
// session, the verticals, and the page's own part.
import { loadAllVerticals } from "./loadVerticals";
import { openAhead } from "./sessionKeeper";

type Pages = Readonly<Record<string, () => Promise<unknown>>>;

const OF_VERTICALS = import.meta.glob<Pages>("./*/pages.ts", { import: "PAGES", eager: true });

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
  const begun = [...pagesAt(path).map((load) => load()), loadAllVerticals()];
  for (const one of begun) one.catch(() => undefined);
}

/** What brings the pages at a path: one, or none. */
function pagesAt(path: string): Pages[string][] {
  return [PAGES, ...Object.values(OF_VERTICALS)]
    .flatMap((pages: Pages) => Object.entries(pages))
    .flatMap(([route, load]) => (fits(route, path) ? [load] : []));
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
