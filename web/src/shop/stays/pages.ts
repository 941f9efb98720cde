// The pages of stays that are brought when they are asked for, by their path, and the file of words
// that comes with them.
import type { First } from "../askedAhead";

export const WORDS = "shop_stays";
/** The words of changing a stay, which few pages need. */
export const CHANGE_WORDS = "shop_stay_change";

export const PAGES = {
  "/stays": () => import("./StaysPage"),
  "/stays/:listing": () => import("./ListingPage"),
  "/stays/:listing/change/:booking": () => import("./ChangePage"),
};

/** As catalog.ts asks. */
export const FIRST = {
  "/stays/:listing": (name: string): First[] => [
    ["/v1/listings/{listing_id}", { path: { listing_id: name }, query: { days: 92, rooms: 1 } }],
  ],
};
