// When a request is sent again: while the service is away or asks for patience, and after an answer
// that was lost if a repeat does no harm; never beyond the time that the caller gave, nor beyond the
// end of the hold that it is about.
import { hasCode, type BespeakError } from "./problems.ts";
import type { ApiRequest } from "./requests.ts";

const PAUSE_MS = 100;
const PAUSE_MS_MAX = 2000;
const HOLDS_MAX = 10_000;

/** Until when holds last, by this machine's clock: the server says how long they still have, so that
 * two clocks that differ do no harm. */
export class HoldEnds {
  readonly #ends = new Map<string, number>();

  /** Notes the end of a hold that was answered, or of each of a batch; other answers are none of its
   * business. */
  note(answer: unknown): void {
    if (typeof answer !== "object" || answer === null) return;
    const { items }: { items?: unknown } = answer;
    if (Array.isArray(items)) {
      for (const { hold } of items as { hold?: unknown }[]) this.note(hold);
      return;
    }
    const { id, expires_in_ms: left }: { id?: unknown; expires_in_ms?: unknown } = answer;
    if (typeof id !== "string" || typeof left !== "number") return;
    this.#ends.delete(id);
    this.#ends.set(id, performance.now() + left);
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > HOLDS_MAX && oldest !== undefined) this.#ends.delete(oldest);
  }

  /** When a hold ends, if that is known. */
  of(holdId: string | undefined): number | undefined {
    return holdId === undefined ? undefined : this.#ends.get(holdId);
  }
}

/** The attempts at one request. */
export class Attempts {
  readonly #isOnce: boolean;
  readonly #isRepeatable: boolean;
  readonly #end: number;
  #failed = 0;

  constructor(request: ApiRequest, seconds: number, holdEnds: number | undefined) {
    this.#isOnce = request.isOnce === true;
    this.#isRepeatable = request.isSafe === true || request.key !== undefined;
    this.#end = Math.min(performance.now() + seconds * 1000, holdEnds ?? Infinity);
  }

  /** How long an attempt may take. An answer is waited for a little in any case. */
  get msLeft(): number {
    return Math.max(PAUSE_MS, this.#end - performance.now());
  }

  /** How many ms to wait before the next attempt; null: there is none. */
  pause(error: BespeakError): number | null {
    if (this.#isOnce || !error.isUnavailable) return null;
    if (hasCode(error, "server_unreachable") && !this.#isRepeatable) return null;
    this.#failed += 1;
    // Those that failed together must not come back together.
    const most = Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** this.#failed);
    const own = most * (0.5 + Math.random() / 2);
    const pause = Math.max(own, (error.retryAfterSeconds ?? 0) * 1000);
    return performance.now() + pause < this.#end ? pause : null;
  }
}
