// Amounts, as Stripe counts them. Both sides speak in minor units; the few currencies where Stripe counts
// otherwise than ISO 4217 are those of src/bespeak/payments/providers/stripe/amounts.py, and a test there
// holds both against one table.

// ISO 4217 gives them no decimals, and Stripe takes them with two, which are always 00.
const HUNDREDFOLD: ReadonlySet<string> = new Set(["ISK", "UGX"]);
// ISO 4217 gives it two decimals, and Stripe takes it without.
const HUNDREDTH: ReadonlySet<string> = new Set(["MGA"]);
// Of the three decimals the last must be 0 with Stripe.
const TENS: ReadonlySet<string> = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);

/** The number that Stripe takes for an amount in minor units; null where it has no such amount. */
export function amountForStripe(amount: number, currency: string): number | null {
  if (HUNDREDFOLD.has(currency)) return amount * 100;
  const step = HUNDREDTH.has(currency) ? 100 : TENS.has(currency) ? 10 : 1;
  if (amount % step !== 0) return null;
  return HUNDREDTH.has(currency) ? amount / 100 : amount;
}
