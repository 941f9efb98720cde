// Follows an attempt to its end: sends it, repeats it while nobody answers, and then reads the payment
// until the bank has decided.
import {
  isOver,
  stateOfAnswer,
  stateOfPayment,
  stateOfProblem,
  type Attempt,
  type AttemptState,
  type PaymentSeen,
} from "./attempt";

/** What it takes; the page gives the API's calls, a test its own. */
export type AttemptCalls = {
  /** Sends the confirmation with the attempt's key. */
  send: (attempt: Attempt) => Promise<unknown>;
  /** Reads a payment and the booking that it made. */
  read: (paymentId: string) => Promise<{ payment: PaymentSeen; booking_id: string | null }>;
  /** Writes an attempt down. */
  keep: (attempt: Attempt) => void;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  onState: (state: AttemptState) => void;
};

const LOOK_MS = 1000;
const FIRST_WAIT_MS = 500;
const WAIT_MAX_MS = 8000;

/** How long to wait before try number so many. */
export function waitMs(tries: number): number {
  return Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** Math.max(0, tries - 1));
}

/** Follows the attempt until it is over; what it has come to, or null where the page was left. */
export async function runAttempt(
  begun: Attempt,
  calls: AttemptCalls,
  signal: AbortSignal,
): Promise<AttemptState | null> {
  let attempt = begun;
  let unanswered = 0;
  while (!signal.aborted) {
    const { paymentId } = attempt;
    let state: AttemptState;
    try {
      if (paymentId === null) {
        state = stateOfAnswer(await calls.send(attempt));
      } else {
        const seen = await calls.read(paymentId);
        state = stateOfPayment(seen.payment, seen.booking_id);
        if (state.kind === "waiting" && seen.payment.action_url !== null) {
          state = { kind: "challenge", paymentId, url: seen.payment.action_url };
        }
      }
      unanswered = 0;
    } catch (problem) {
      unanswered += 1;
      state = stateOfProblem(problem, attempt.holdId, unanswered);
    }
    if (signal.aborted) return null;
    const known = "paymentId" in state ? state.paymentId : attempt.paymentId;
    if (known !== attempt.paymentId) {
      attempt = { ...attempt, paymentId: known };
      calls.keep(attempt);
    }
    calls.onState(state);
    if (isOver(state)) return state;
    await calls.wait(state.kind === "unknown" ? waitMs(unanswered) : LOOK_MS, signal);
  }
  return null;
}

/** Waits, or less where the page is left. */
export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
