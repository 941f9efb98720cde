// What the panels of the account share.

/** The key of the account's query. */
export const ACCOUNT = ["account"];
