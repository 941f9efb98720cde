// Runs an attempt to its end: sends it, retries while there is no answer, then polls the payment.
import {
  isOver,
  stateOfAnswer,
  stateOfPayment,
  stateOfProblem,
  type Attempt,
  type AttemptState,
  type PaymentSeen,
} from "./attempt";

/** The calls that it makes, which tests replace. */
export type AttemptCalls = {
  send: (attempt: Attempt) => Promise<unknown>;
  read: (paymentId: string) => Promise<{ payment: PaymentSeen; booking_id: string | null }>;
  keep: (attempt: Attempt) => void;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  onState: (state: AttemptState) => void;
};

const LOOK_MS = 1000;
const FIRST_WAIT_MS = 500;
const WAIT_MAX_MS = 8000;

/** Exponential backoff. */
export function waitMs(tries: number): number {
  return Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** Math.max(0, tries - 1));
}

/** Returns the final state, or null if the page was left. */
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

/** Waits; the signal ends it early. */
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
