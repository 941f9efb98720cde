// Why a payment came to nothing, as the providers say it, by what we say of it. Only what is the bank's no is
// told as one: an amount that is too small, or a token that is used up, is no fault of the card.

/** What happened, and what to do next: both are words of ours. */
export type Decline = { says: string; next: "other_card" | "again" | "retype" | "ask" };

const OTHER_CARD: ReadonlyMap<string, string> = new Map([
  ["insufficient_funds", "insufficient_funds"],
  ["expired_card", "expired_card"],
  ["challenge_declined", "challenge_declined"],
  ["payment_intent_authentication_failure", "challenge_declined"],
  ["incorrect_cvc", "incorrect_cvc"],
  ["invalid_cvc", "incorrect_cvc"],
  ["token_unknown", "token_unknown"],
]);
const BANKS_NO: ReadonlySet<string> = new Set([
  "declined",
  "card_declined",
  "generic_decline",
  "call_issuer",
  "card_not_supported",
  "card_velocity_exceeded",
  "do_not_honor",
  "do_not_try_again",
  "fraudulent",
  "lost_card",
  "no_action_taken",
  "not_permitted",
  "pickup_card",
  "restricted_card",
  "revocation_of_all_authorizations",
  "revocation_of_authorization",
  "security_violation",
  "service_not_allowed",
  "stolen_card",
  "stop_payment_order",
  "transaction_not_allowed",
  "withdrawal_count_limit_exceeded",
]);
const PASSING: ReadonlySet<string> = new Set([
  "processing_error",
  "issuer_not_available",
  "reenter_transaction",
  "try_again_later",
  "approve_with_id",
]);
// The token of what was typed: used up, too old, or of another account.
const TOKEN =
  /^(resource_missing|payment_method_invalid|invalid_payment_method|(invalid_)?confirmation_token.*)$/;
const AMOUNT: ReadonlySet<string> = new Set([
  "amount_too_small",
  "amount_too_large",
  "invalid_amount",
  "currency_not_supported",
  "invalid_currency",
]);

export function declineOf(failure: string): Decline {
  const known = OTHER_CARD.get(failure);
  if (known !== undefined) return { says: known, next: "other_card" };
  if (BANKS_NO.has(failure)) return { says: "declined", next: "other_card" };
  if (PASSING.has(failure)) return { says: "not_now", next: "again" };
  if (TOKEN.test(failure)) return { says: "card_gone", next: "retype" };
  if (AMOUNT.has(failure)) return { says: "amount", next: "ask" };
  return { says: "not_taken", next: "other_card" };
}
