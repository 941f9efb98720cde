// What the bank asks, in a window that Stripe's script opens in the page.
import i18next from "i18next";
import { stripeLocale } from "./look";
import { stripeOf } from "./load";

/** Shows it; whether the buyer has done what was asked. How the payment stands only the server knows. */
export async function askHere(publishableKey: string, clientSecret: string): Promise<boolean> {
  const stripe = await stripeOf(publishableKey, stripeLocale(i18next.language));
  const { error } = await stripe.handleNextAction({ clientSecret });
  return error === undefined;
}
