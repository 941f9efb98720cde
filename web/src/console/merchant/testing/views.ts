// What the API says of a merchant, for tests.
import type { MerchantView } from "~/api/schema";

/** Nothing is said yet. */
export const NOBODY: MerchantView = {
  version: 0,
  name: null,
  logo: null,
  accent: null,
  accent_colours: null,
  country: null,
  currency: null,
  languages: null,
  time_zone: null,
  email: null,
  phone: null,
  address: null,
  tax_number: null,
  invoice_prefix: null,
  invoice_note: null,
  terms: null,
  privacy: null,
  imprint: null,
  ordering: { button: "pay", consent: "none", terms: null, tells_no_withdrawal: false },
};
