// What a page of the shop needs next, begun while its program is still on its way: the visitor's
// session, the verticals, and the page's own part.
import { preferredLocale, readWords } from "~/i18n/locale";
import type { First } from "./askedAhead";
import { loadAllVerticals } from "./loadVerticals";
import { openAhead } from "./sessionKeeper";

type Pages = Readonly<Record<string, () => Promise<unknown>>>;

/** The pages of a vertical, the file of words that they come with, and what they ask for first: with the
 * part of the path that names something, where the address has no filters. */
type OfVertical = {
  readonly PAGES: Pages;
  readonly WORDS?: string;
  readonly FIRST?: Readonly<Record<string, (name: string) => readonly First[]>>;
};

const OF_VERTICALS = import.meta.glob<OfVertical>("./*/pages.ts", { eager: true });

/** The pages on the way to a ticket, by their path. */
export const PAGES = {
  "/shows/:show": () => import("./show/SeatsPage"),
  "/checkout/:hold": () => import("./checkout/CheckoutPage"),
  "/waiting/:room": () => import("./waiting/WaitingPage"),
};

/** Ends when the session's call is on its way. A phone without HTTP/2 makes six requests at a time, and
 * that one is the first of a chain: the files must not stand before it. What fails here fails again for
 * whoever needs it, and is shown there. */
export async function startSession({ pathname, search }: Location): Promise<void> {
  openAhead(search === "" ? firstOf(pathname) : []).catch(() => undefined);
  await new Promise((sent) => setTimeout(sent));
}

function firstOf(path: string): First[] {
  const own: OfVertical["FIRST"] = {
    "/shows/:show": (name) => [["/v1/resources/{resource_id}", { path: { resource_id: name } }]],
  };
  const found = [own, ...Object.values(OF_VERTICALS).map(({ FIRST = {} }) => FIRST)];
  const name = path.split("/").at(-1) ?? ""; // an id, which nothing in an address escapes
  return found
    .flatMap((pages) => Object.entries(pages))
    .flatMap(([route, asks]) => (fits(route, path) ? asks(name) : []));
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
