// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { Problem, UNREACHABLE } from "~/api/client";
import {
  dropAttempt,
  keepAttempt,
  keptAttempt,
  newAttempt,
  stateOfAnswer,
  stateOfPayment,
  stateOfProblem,
  type Attempt,
  type AttemptState,
  type PaymentSeen,
} from "./attempt";
import { runAttempt, waitMs, type AttemptCalls } from "./runAttempt";

const HOLD = "hold_01m7z15zx5gnfrsk2bwcy9fjs1";
const BOOKING = "bkg_01m7z15zx5gnfrsk2bwcy9fjs1";
const payment = (state: PaymentSeen["state"], more: Partial<PaymentSeen> = {}): PaymentSeen => ({
  id: "pay_1",
  state,
  action_url: null,
  failure: null,
  late: null,
  ...more,
});
const lost = () => new Problem(0, { code: UNREACHABLE, retryable: true });

beforeEach(() => sessionStorage.clear());

/** Calls with given answers, in turn, that record their arguments. */
function calls(answers: (unknown | Error)[]) {
  const asked: string[] = [];
  const told: AttemptState[] = [];
  const kept: Attempt[] = [];
  const next = async (): Promise<never> => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer as never;
  };
  const made: AttemptCalls = {
    send: (attempt) => {
      asked.push(`send ${attempt.key}`);
      return next();
    },
    read: (id) => {
      asked.push(`read ${id}`);
      return next();
    },
    keep: (attempt) => void kept.push(attempt),
    wait: async () => undefined,
    onState: (state) => void told.push(state),
  };
  return { made, asked, told, kept };
}

const alive = () => new AbortController().signal;

test("a card that pays at once is a booking", async () => {
  const attempt = newAttempt(HOLD, { token: "tok_success" });
  const { made, asked } = calls([{ id: BOOKING }]);
  await expect(runAttempt(attempt, made, alive())).resolves.toEqual({
    kind: "booked",
    bookingId: BOOKING,
  });
  expect(asked).toEqual([`send ${attempt.key}`]);
});

test("a lost reply is asked for again under the same key", async () => {
  const attempt = newAttempt(HOLD, { token: "tok_success" });
  const { made, asked, told } = calls([lost(), lost(), { id: BOOKING }]);
  await runAttempt(attempt, made, alive());
  expect(asked).toEqual(Array(3).fill(`send ${attempt.key}`));
  expect(told.map((state) => state.kind)).toEqual(["unknown", "unknown", "booked"]);
});

test("a payment that is under way is read until the bank has decided", async () => {
  const { made, asked, kept } = calls([
    { payment: payment("pending") },
    { payment: payment("pending"), booking_id: null },
    lost(),
    { payment: payment("captured"), booking_id: BOOKING },
  ]);
  const end = await runAttempt(newAttempt(HOLD, { token: "tok_pending" }), made, alive());
  expect(end).toEqual({ kind: "booked", bookingId: BOOKING });
  expect(asked.slice(1)).toEqual(["read pay_1", "read pay_1", "read pay_1"]);
  expect(kept.map((attempt) => attempt.paymentId)).toEqual(["pay_1"]);
});

test("after a reload it goes on with the payment and sends nothing again", async () => {
  keepAttempt({ ...newAttempt(HOLD, { token: "tok_challenge" }), paymentId: "pay_1" });
  const found = keptAttempt(HOLD);
  expect(found).not.toBeNull();
  if (found === null) return;
  const { made, asked } = calls([
    { payment: payment("failed", { failure: "challenge_declined" }), booking_id: null },
  ]);
  await expect(runAttempt(found, made, alive())).resolves.toEqual({
    kind: "declined",
    failure: "challenge_declined",
  });
  expect(asked).toEqual(["read pay_1"]);
});

test("a repeat goes to the account of before, whatever the page knows by then", async () => {
  const order = { token: "ctoken_1", provider: "stripe-1", publishableKey: "pk_test_1" };
  const begun = newAttempt(HOLD, order);
  keepAttempt(begun);
  const found = keptAttempt(HOLD);
  expect(found).toEqual(begun);
  if (found === null) return;
  const sent: Attempt[] = [];
  const { made } = calls([lost(), new Problem(422, { code: "provider_unknown" })]);
  const noted = { ...made, send: async (one: Attempt) => (sent.push(one), made.send(one)) };
  await expect(runAttempt(found, noted, alive())).resolves.toEqual({ kind: "elsewhere" });
  expect(sent).toEqual([begun, begun]);
});

test("an attempt that was kept before there were accounts says nothing of them", () => {
  const kept = { holdId: HOLD, key: "k", token: "tok_success" };
  sessionStorage.setItem(`bespeak.attempt.${HOLD}`, JSON.stringify(kept));
  expect(keptAttempt(HOLD)).toMatchObject({ provider: null, publishableKey: null });
});

test("another payment of the same hold, from another window, is followed too", async () => {
  const { made, asked } = calls([
    new Problem(409, { code: "payment_in_progress", retryable: true, payment_id: "pay_9" }),
    { payment: payment("authorized"), booking_id: BOOKING },
  ]);
  await runAttempt(newAttempt(HOLD, { token: "tok_success" }), made, alive());
  expect(asked[1]).toBe("read pay_9");
});

test("a page that was left asks no more", async () => {
  const control = new AbortController();
  const { made, asked } = calls([lost()]);
  const leaving = { ...made, onState: () => control.abort() };
  await expect(
    runAttempt(newAttempt(HOLD, { token: "t" }), leaving, control.signal),
  ).resolves.toBeNull();
  expect(asked).toHaveLength(1);
});

test("the pauses grow, and not without end", () => {
  expect([1, 2, 3, 4, 5, 6, 50].map(waitMs)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
});

test.each<[string, object, AttemptState]>([
  ["payment_declined", { failure: "expired_card" }, { kind: "declined", failure: "expired_card" }],
  ["hold_confirmed", { booking_id: BOOKING }, { kind: "booked", bookingId: BOOKING }],
  ["hold_confirmed", {}, { kind: "booked", bookingId: BOOKING }],
  ["money_returned", {}, { kind: "returned" }],
  ["provider_unknown", {}, { kind: "elsewhere" }],
  ["hold_expired", {}, { kind: "expired" }],
  ["hold_released", {}, { kind: "released" }],
  ["overloaded", { retryable: true }, { kind: "unknown", tries: 3 }],
])("%s calls %j", (code, data, state) => {
  expect(stateOfProblem(new Problem(409, { code, ...data }), HOLD, 3)).toEqual(state);
});

test("a refusal that nothing can be done about is shown as it is", () => {
  const problem = new Problem(422, { code: "invalid_request" });
  expect(stateOfProblem(problem, HOLD, 1)).toEqual({ kind: "refused", problem });
});

test("money that came too late is money that goes back", () => {
  expect(stateOfPayment(payment("captured", { late: "refund" }), null)).toEqual({
    kind: "returned",
  });
  expect(stateOfPayment(payment("captured", { late: "same_units" }), BOOKING)).toEqual({
    kind: "booked",
    bookingId: BOOKING,
  });
  expect(stateOfPayment(payment("authorized"), null)).toEqual({
    kind: "waiting",
    paymentId: "pay_1",
  });
});

test("an answer that makes no sense is no booking", () => {
  for (const answer of [null, {}, [], "bkg_1", { payment: {} }]) {
    expect(stateOfAnswer(answer).kind).toBe("refused");
  }
});

test("what was written down for another hold, or is broken, is not gone on with", () => {
  const contact = { email: "a@b", name: null, phone: null, locale: "en" };
  keepAttempt(newAttempt(HOLD, { contact }));
  expect(keptAttempt("hold_other")).toBeNull();
  expect(keptAttempt(HOLD)?.contact).toEqual(contact);
  const called = { email: null, name: "Asha", phone: "110", locale: "en" };
  keepAttempt(newAttempt(HOLD, { contact: called }));
  expect(keptAttempt(HOLD)?.contact).toEqual(called);
  // As a page of before kept it.
  const before = { holdId: HOLD, key: "k", contact: { email: "a@b", name: null, locale: "en" } };
  sessionStorage.setItem(`bespeak.attempt.${HOLD}`, JSON.stringify(before));
  expect(keptAttempt(HOLD)?.contact).toEqual(contact);
  sessionStorage.setItem(`bespeak.attempt.${HOLD}`, "{");
  expect(keptAttempt(HOLD)).toBeNull();
  sessionStorage.setItem(`bespeak.attempt.${HOLD}`, '{"holdId":"hold_other","key":"k"}');
  expect(keptAttempt(HOLD)).toBeNull();
  dropAttempt(HOLD);
  expect(sessionStorage).toHaveLength(0);
});
