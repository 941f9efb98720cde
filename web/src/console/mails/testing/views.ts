// What the API says of a mail server, for tests.
import type { MailServerView } from "~/api/schema";

/** Nobody has set one. */
export const UNSET: MailServerView = {
  version: 0,
  decided_by: "nobody",
  host: null,
  port: null,
  encryption: null,
  username: null,
  has_password: false,
  must_set_password: false,
  sender: "Bespeak <bookings@localhost>",
  is_sender_fixed: false,
  changed_at: null,
};
