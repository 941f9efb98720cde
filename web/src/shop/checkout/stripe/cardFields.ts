// Stripe's form for a card or another means of payment, mounted into an element of the page; and the token
// that it makes of what was typed there, which is all that the page and our server ever see.
import type { StripeElementsUpdateOptions, StripeError } from "@stripe/stripe-js";
import type { Appearance, StripeElementLocale } from "@stripe/stripe-js";
import type { Contact } from "../attempt";
import { stripeOf } from "./load";

export type Look = {
  /** As Stripe counts it. */
  amount: number;
  currency: string;
  appearance: Appearance;
};

export type Opening = {
  publishableKey: string;
  locale: StripeElementLocale;
  look: Look;
  onReady: () => void;
  /** `isRefused`: Stripe has answered, and does not take what the shop said: its key, as a rule. */
  onFailed: (isRefused: boolean) => void;
};

// How Stripe answers where the key is of no account, or of one that is closed; and where it cannot do what is asked.
const OF_THE_SHOP: ReadonlySet<string> = new Set(["authentication_error", "invalid_request_error"]);

/** A token, or why there is none: null where the fields themselves say it. */
export type Made = { token: string } | { wrong: string | null };

export type CardFields = {
  update: (look: Look) => void;
  focus: () => void;
  makeToken: (to: Contact | null, returnUrl: string) => Promise<Made>;
  destroy: () => void;
};

/** Raises an error where Stripe's script cannot be loaded. `isLeft`: the page no longer wants it. */
export async function openFields(
  box: HTMLElement,
  { publishableKey, locale, look, onReady, onFailed }: Opening,
  isLeft: () => boolean,
): Promise<CardFields | null> {
  const stripe = await stripeOf(publishableKey, locale);
  if (isLeft()) return null;
  const elements = stripe.elements({
    ...wordsOf(look),
    mode: "payment",
    captureMethod: "manual",
    locale,
    // The page shows what stands in for the form until it is there.
    loader: "never",
  });
  const fields = elements.create("payment");
  fields.on("ready", onReady);
  fields.on("loaderror", ({ error }) => onFailed(OF_THE_SHOP.has(error.type)));
  fields.mount(box);
  const makeToken = async (to: Contact | null, returnUrl: string): Promise<Made> => {
    const checked = await elements.submit();
    if (checked.error !== undefined) return wrongOf(checked.error);
    const made = await stripe.createConfirmationToken({
      elements,
      params: { return_url: returnUrl, ...billingOf(to) },
    });
    return made.error === undefined ? { token: made.confirmationToken.id } : refusalOf(made.error);
  };
  return {
    update: (next) => void elements.update(wordsOf(next) satisfies StripeElementsUpdateOptions),
    focus: () => fields.focus(),
    makeToken,
    destroy: () => fields.destroy(),
  };
}

function wordsOf({ amount, currency, appearance }: Look) {
  return { amount, currency: currency.toLowerCase(), appearance };
}

/** What is wrong with a field is said beside it, in the buyer's language. */
function wrongOf(error: StripeError): Made {
  return error.type === "validation_error" ? { wrong: null } : refusalOf(error);
}

/** Stripe says to buyers what is wrong with their card. All else it says to those who write programs. */
function refusalOf({ type, message }: StripeError): Made {
  const isForBuyers = type === "card_error" || type === "validation_error";
  return { wrong: isForBuyers ? (message ?? "") : "" };
}

function billingOf(to: Contact | null) {
  if (to === null) return {};
  // The number is for who gives the appointment: Stripe is not told of it.
  const { email, name } = to;
  const details = { ...(email !== null && { email }), ...(name !== null && { name }) };
  return { payment_method_data: { billing_details: details } };
}
