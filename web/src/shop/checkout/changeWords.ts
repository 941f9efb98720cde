/** The file of words that only the checkout of a change has. */
export const CHANGE_WORDS = "shop_change";
