// The programme's pages that are brought when they are asked for, by their path, and the file of words
// that comes with them.
import type { First } from "../askedAhead";

export const WORDS = "shop_events";

export const PAGES = {
  "/events": () => import("./EventsPage"),
  "/events/:production": () => import("./EventPage"),
};

/** As catalog.ts asks. */
export const FIRST = {
  "/events": (): First[] => [["/v1/programme/productions", { query: { limit: 24 } }]],
  "/events/:production": (name: string): First[] => [
    ["/v1/programme/productions/{production_id}", { path: { production_id: name } }],
    ["/v1/programme/performances", { query: { production: name, limit: 100 } }],
  ],
};
