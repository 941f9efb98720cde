// What a page of the shop needs next, begun while its program is still on its way: the visitor's
// session, the verticals that it names, and the page's own part.
import { loadPageOf } from "./loadVerticals";
import { openAhead } from "./sessionKeeper";

/** The pages on the way to a ticket, by how their path begins. */
export const PAGES = {
  shows: () => import("./show/SeatsPage"),
  checkout: () => import("./checkout/CheckoutPage"),
};

/** What fails here fails again for whoever needs it, and is shown there. */
export function loadAhead(path: string): void {
  bring(path).catch(() => undefined);
  const [, first] = path.split("/");
  if (first === "shows" || first === "checkout") PAGES[first]().catch(() => undefined);
}

async function bring(path: string): Promise<void> {
  const { session } = await openAhead();
  await loadPageOf(session.verticals, path);
}
