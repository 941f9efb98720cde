// The pages of stays that are brought when they are asked for, by their path, and the file of words
// that comes with them.
export const WORDS = "shop_stays";

export const PAGES = {
  "/stays": () => import("./StaysPage"),
  "/stays/:listing": () => import("./ListingPage"),
};
