// Places a hold, and retries with the same key while there is no answer.
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { idempotencyKey, Problem } from "~/api/client";
import type { HoldView, Line } from "~/api/schema";
import { useHoldsChanged } from "../holds";
import { useShop } from "../session";

const TRIES_MAX = 4;
const FIRST_WAIT_MS = 400;
const AS_USUAL = { alternatives: 4, hold_seconds: null, owner: null, partial: null };

/** Whether it is unknown if a call took effect, or it may be retried. */
export function isUnanswered(problem: unknown): boolean {
  return (
    problem instanceof Problem &&
    problem.retryable &&
    (problem.status === 0 || problem.status >= 500)
  );
}

/** Idempotency keys: an unanswered request keeps its key, another one gets its own. */
export class WishKeys {
  #wish = "";
  #key = "";

  keyOf(wish: string): string {
    if (wish !== this.#wish) {
      this.#wish = wish;
      this.#key = idempotencyKey();
    }
    return this.#key;
  }

  /** The same request again is a new one. */
  answered(): void {
    this.#wish = "";
  }
}

/** Retries a call with backoff while it has no answer. */
export async function repeatUnanswered<T>(
  call: () => Promise<T>,
  wait: (ms: number) => Promise<void> = pause,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (problem) {
      if (!isUnanswered(problem) || tries >= TRIES_MAX) throw problem;
      await wait(FIRST_WAIT_MS * 2 ** (tries - 1));
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

export function usePlaceHold(onHeld: (hold: HoldView) => void) {
  const { api } = useShop();
  const keys = useRef(new WishKeys());
  const changed = useHoldsChanged();
  return useMutation<HoldView, unknown, readonly Line[]>({
    mutationFn: async (lines) => {
      const key = keys.current.keyOf(JSON.stringify(lines));
      try {
        const hold = await repeatUnanswered(() =>
          api.POST("/v1/holds", { body: { ...AS_USUAL, lines: [...lines] }, key }),
        );
        keys.current.answered();
        return hold;
      } catch (problem) {
        if (!isUnanswered(problem)) keys.current.answered();
        throw problem;
      }
    },
    onSuccess: (hold) => {
      changed();
      onHeld(hold);
    },
  });
}
