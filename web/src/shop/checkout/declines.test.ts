import { expect, test } from "vitest";
import words from "~/i18n/locales/en/shop.json";
import { declineOf } from "./declines";

test.each([
  ["declined", "declined", "other_card"],
  ["generic_decline", "declined", "other_card"],
  ["insufficient_funds", "insufficient_funds", "other_card"],
  ["processing_error", "not_now", "again"],
  ["resource_missing", "card_gone", "retype"],
  ["payment_method_invalid", "card_gone", "retype"],
  ["confirmation_token_already_used", "card_gone", "retype"],
  ["amount_too_small", "amount", "ask"],
  ["invalid_request", "not_taken", "other_card"],
  ["a_code_of_tomorrow", "not_taken", "other_card"],
])("%s is told as %s, next %s", (failure, says, next) => {
  expect(declineOf(failure)).toEqual({ says, next });
  expect(words.declined).toHaveProperty(says);
  expect(words.declined.next).toHaveProperty(next);
});
