// The server's clock, estimated from its answers, so that countdowns are right on devices with a wrong
// clock.
import { Store, type Readable } from "./store.ts";

const JITTER_MS = 300;
const LOOK_MS_MAX = 30_000;

/** How far this device's clock is behind the server's, in ms (below zero: ahead). */
export function behindBy(serverMs: number, sentMs: number, receivedMs: number): number {
  return Math.round(serverMs - (sentMs + receivedMs) / 2);
}

/** Whole seconds until `endsAt` (server's time, ms since 1970). */
export function secondsLeft(endsAt: number, behindMs: number, now = Date.now()): number {
  return Math.max(0, Math.ceil((endsAt - (now + behindMs)) / 1000));
}

/** Calls `act` once at a time of the server, also after the device slept. The function that it answers
 * cancels that. */
export function atServerTime(endsAt: number, behindMs: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    clearTimeout(timer);
    globalThis.document?.removeEventListener("visibilitychange", look);
  };
  const look = () => {
    clearTimeout(timer);
    const leftMs = endsAt - (Date.now() + behindMs);
    if (leftMs > 0) {
      timer = setTimeout(look, Math.min(leftMs, LOOK_MS_MAX));
      return;
    }
    cancel();
    act();
  };
  globalThis.document?.addEventListener("visibilitychange", look);
  look();
  return cancel;
}

/** What is known of the server's clock. `behind` tells its subscribers when it learns better. */
export class ServerClock {
  readonly #behind = new Store(0);
  #isKnown = false;

  get behind(): Readable<number> {
    return this.#behind;
  }

  get behindMs(): number {
    return this.#behind.get();
  }

  /** The server's time, ms since 1970. */
  now(): number {
    return Date.now() + this.behindMs;
  }

  /** Notes the server's time of an answer. Small differences are those of the network. */
  note(serverMs: number, sentMs: number, receivedMs: number): void {
    const behindMs = behindBy(serverMs, sentMs, receivedMs);
    if (this.#isKnown && Math.abs(behindMs - this.behindMs) <= JITTER_MS) return;
    this.#isKnown = true;
    this.#behind.set(behindMs);
  }

  /** Notes the time by an answer that is a hold with time left: its end less what is left. */
  noteHold(answer: unknown, sentMs: number, receivedMs: number): void {
    if (typeof answer !== "object" || answer === null) return;
    const { expires_at: end, expires_in_ms: leftMs }: Record<string, unknown> = { ...answer };
    if (typeof end !== "string" || typeof leftMs !== "number" || leftMs <= 0) return;
    const endsAt = Date.parse(end);
    if (!Number.isNaN(endsAt)) this.note(endsAt - leftMs, sentMs, receivedMs);
  }
}
