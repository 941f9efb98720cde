// The cinema's pages that are brought when they are asked for, by their path.
export const PAGES = {
  "/films/:film": () => import("./FilmPage"),
};
