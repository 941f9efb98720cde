// The links to bookings that this tab came by. One goes along where its booking is changed, and on to the
// checkout of what was held for that, which then has a token of its own name.
import { PageLinks } from "../pageLinks";

export const bookingLinks = new PageLinks(
  "bespeak.booking_links",
  /^\/(?:bookings|checkout|(?:stays|appointments)\/\w+\/change)\/((?:bkg|hold)_\w+)$/,
);
