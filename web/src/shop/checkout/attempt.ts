// One attempt to pay for a hold. It is stored for this tab before it is sent: after a lost reply, a
// reload or a visit to the bank it continues with the same key, so that nobody pays twice.
import { readStored } from "~/api/stored";
import { idempotencyKey, isRecord, Problem } from "~/api/client";
import type { CheckoutAnswer, Payment } from "~/api/schema";
import { bookingOf } from "../holds";

export type Contact = {
  email: string | null;
  name: string | null;
  phone: string | null;
  locale: string | null;
};

export type Attempt = {
  holdId: string;
  key: string;
  /** The payment token; null if nothing has to be paid. */
  token: string | null;
  /** Where it is paid, as the page's form said: a repeat must be the same call. */
  provider: string | null;
  /** What that provider's own script is opened with, if the bank asks something; null where it has none. */
  publishableKey: string | null;
  contact: Contact | null;
  /** The digest of the terms that were accepted. */
  consent: string | null;
  /** What was answered; null where nothing is asked. */
  answers: CheckoutAnswer[] | null;
  /** The payment's id, once it is known. */
  paymentId: string | null;
};

/** What the form says. */
export type Order = Omit<Attempt, "holdId" | "key" | "paymentId">;

/** The state of an attempt. `unknown` is not final: it is retried. `elsewhere`: buyers pay at another account
 * by now, and nothing has begun. */
export type AttemptState =
  | { kind: "booked"; bookingId: string }
  | { kind: "challenge"; paymentId: string; url: string }
  | { kind: "waiting"; paymentId: string }
  | { kind: "unknown"; tries: number }
  | { kind: "declined"; failure: string }
  | { kind: "elsewhere" }
  | { kind: "returned" }
  | { kind: "expired" }
  | { kind: "released" }
  | { kind: "refused"; problem: unknown };

export type PaymentSeen = Pick<Payment, "id" | "state" | "action_url" | "failure" | "late">;

const KEPT_AS = "bespeak.attempt.";

const NOTHING: Order = {
  token: null,
  provider: null,
  publishableKey: null,
  contact: null,
  consent: null,
  answers: null,
};

export function newAttempt(holdId: string, order: Partial<Order> = {}): Attempt {
  return { ...NOTHING, ...order, holdId, key: idempotencyKey(), paymentId: null };
}

export function keepAttempt(attempt: Attempt, store: Storage = sessionStorage): void {
  store.setItem(KEPT_AS + attempt.holdId, JSON.stringify(attempt));
}

export function dropAttempt(holdId: string, store: Storage = sessionStorage): void {
  store.removeItem(KEPT_AS + holdId);
}

/** The stored attempt of this hold; null if there is none. */
export function keptAttempt(holdId: string, store: Storage = sessionStorage): Attempt | null {
  const found = readStored(store, KEPT_AS + holdId);
  if (typeof found?.["key"] !== "string" || found["holdId"] !== holdId) return null;
  return {
    holdId,
    key: found["key"],
    token: text(found["token"]),
    provider: text(found["provider"]),
    publishableKey: text(found["publishableKey"]),
    contact: contactOf(found["contact"]),
    consent: text(found["consent"]),
    answers: answersOf(found["answers"]),
    paymentId: text(found["paymentId"]),
  };
}

function contactOf(found: unknown): Contact | null {
  if (!isRecord(found)) return null;
  const [email, name, phone] = [found["email"], found["name"], found["phone"]].map(text);
  const isSomebody = Boolean(email) || Boolean(name) || Boolean(phone);
  if (!isSomebody) return null;
  return {
    email: email ?? null,
    name: name ?? null,
    phone: phone ?? null,
    locale: text(found["locale"]),
  };
}

function answersOf(found: unknown): CheckoutAnswer[] | null {
  return Array.isArray(found) ? found.filter((one) => isAnswer(one)) : null;
}

function isAnswer(one: unknown): one is CheckoutAnswer {
  return isRecord(one) && [one["resource_id"], one["question"], one["answer"]].every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The state after a confirmation: booked, or a payment in progress. */
export function stateOfAnswer(answer: unknown): AttemptState {
  if (isRecord(answer) && typeof answer["id"] === "string") {
    return { kind: "booked", bookingId: answer["id"] };
  }
  const payment = isRecord(answer) ? answer["payment"] : null;
  if (!isRecord(payment) || typeof payment["id"] !== "string") {
    return { kind: "refused", problem: new Problem(0, {}) };
  }
  const { id, action_url: url } = payment;
  return typeof url === "string"
    ? { kind: "challenge", paymentId: id, url }
    : { kind: "waiting", paymentId: id };
}

export function stateOfPayment(payment: PaymentSeen, bookingId: string | null): AttemptState {
  if (payment.late === "refund") return { kind: "returned" };
  if (bookingId !== null) return { kind: "booked", bookingId };
  if (payment.state === "failed")
    return { kind: "declined", failure: payment.failure ?? "declined" };
  if (payment.state === "voided" || payment.state === "refunded") return { kind: "returned" };
  return { kind: "waiting", paymentId: payment.id };
}

/** The state after a problem; `tries` is the number of unanswered calls. */
export function stateOfProblem(problem: unknown, holdId: string, tries: number): AttemptState {
  if (!(problem instanceof Problem)) return { kind: "refused", problem };
  const { data } = problem;
  switch (problem.code) {
    case "payment_declined":
      return { kind: "declined", failure: text(data["failure"]) ?? "declined" };
    case "payment_in_progress": {
      const paymentId = text(data["payment_id"]);
      return paymentId === null ? { kind: "unknown", tries } : { kind: "waiting", paymentId };
    }
    case "hold_confirmed":
      return { kind: "booked", bookingId: text(data["booking_id"]) ?? bookingOf(holdId) };
    case "provider_unknown":
      return { kind: "elsewhere" };
    case "money_returned":
      return { kind: "returned" };
    case "hold_expired":
      return { kind: "expired" };
    case "hold_released":
      return { kind: "released" };
    default:
      // Retried with the same key while the server may still answer.
      return problem.retryable || problem.status === 0 || problem.status >= 500
        ? { kind: "unknown", tries }
        : { kind: "refused", problem };
  }
}

function text(value: unknown): string | null {
  return isText(value) ? value : null;
}

export function isOver(state: AttemptState): boolean {
  return !["challenge", "waiting", "unknown"].includes(state.kind);
}
