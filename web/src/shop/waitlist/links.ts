// The links to entries of waitlists that this tab came by. One goes on to the checkout of the hold that it
// took up, which then has a token of its own name.
import { PageLinks } from "../pageLinks";

export const entryLinks = new PageLinks(
  "bespeak.waitlist_links",
  /^\/(?:waitlist|checkout)\/((?:wle|hold)_\w+)$/,
);
