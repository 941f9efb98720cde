// The programme's pages that are brought when they are asked for, by their path, and the file of words
// that comes with them.
export const WORDS = "shop_events";

export const PAGES = {
  "/events": () => import("./EventsPage"),
  "/events/:production": () => import("./EventPage"),
};
