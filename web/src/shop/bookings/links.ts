// The links to bookings that this tab came by.
import { PageLinks } from "../pageLinks";

export const bookingLinks = new PageLinks("bespeak.booking_links", /^\/bookings\/(bkg_\w+)$/);
