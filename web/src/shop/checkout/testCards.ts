// The cards of the sandbox bank: what each is for and which token stands for it.

export type TestCard = { token: string; name: string; digits: string };

/** The cards that most visitors want to try. Their words are in shop.json below `cards`. */
export const MAIN_CARDS: readonly TestCard[] = [
  { token: "tok_success", name: "success", digits: "4242" },
  { token: "tok_challenge", name: "challenge", digits: "3220" },
  { token: "tok_declined", name: "declined", digits: "0002" },
  { token: "tok_insufficient_funds", name: "insufficient_funds", digits: "9995" },
];

/** The rest of what can happen at a bank. */
export const MORE_CARDS: readonly TestCard[] = [
  { token: "tok_expired_card", name: "expired_card", digits: "0069" },
  { token: "tok_slow_5", name: "slow", digits: "5005" },
  { token: "tok_pending", name: "pending", digits: "0020" },
  { token: "tok_pending_declined", name: "pending_declined", digits: "0022" },
  { token: "tok_timeout_after", name: "lost", digits: "4040" },
  { token: "tok_timeout_before_once", name: "lost_once", digits: "4041" },
  { token: "tok_refund_fails_once", name: "refund_fails_once", digits: "7701" },
];
