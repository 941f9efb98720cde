// Stripe's own script, from its own address, as Stripe demands it. It is asked for when a buyer is to pay
// with it, and once; what could not be loaded is asked for again the next time.
import type { Stripe, StripeElementLocale } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";

const FROM = "https://js.stripe.com";

let isBarred = false;

/** Whether the page's own policy bars the script: the page came when buyers did not pay with Stripe yet, and
 * one that is loaded anew lets it in. */
export function isBarredHere(): boolean {
  return isBarred;
}

document.addEventListener("securitypolicyviolation", ({ blockedURI }) => {
  isBarred ||= blockedURI.startsWith(FROM);
});

const opened = new Map<string, Promise<Stripe>>();

export function stripeOf(publishableKey: string, locale: StripeElementLocale): Promise<Stripe> {
  const name = `${publishableKey} ${locale}`;
  const found = opened.get(name);
  if (found !== undefined) return found;
  const opening = open(publishableKey, locale);
  opened.set(name, opening);
  opening.catch(() => opened.delete(name));
  return opening;
}

async function open(publishableKey: string, locale: StripeElementLocale): Promise<Stripe> {
  const stripe = await loadStripe(publishableKey, { locale });
  if (stripe === null) throw new Error("Stripe's script is for browsers");
  return stripe;
}
