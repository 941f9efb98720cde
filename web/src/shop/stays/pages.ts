// The pages of stays that are brought when they are asked for, by their path.
export const PAGES = {
  "/stays": () => import("./StaysPage"),
  "/stays/:listing": () => import("./ListingPage"),
};
