// The programme's pages that are brought when they are asked for, by their path.
export const PAGES = {
  "/events": () => import("./EventsPage"),
  "/events/:production": () => import("./EventPage"),
};
