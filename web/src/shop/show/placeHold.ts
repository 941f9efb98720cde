// Placing a hold so that a lost answer does no harm: the same wish is sent again under the same key
// until somebody has said yes or no.
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { idempotencyKey, Problem } from "~/api/client";
import type { HoldView } from "../types";
import { useHoldsChanged } from "../holds";
import { useShop } from "../session";
import type { AskedLine } from "./lines";

const TRIES_MAX = 4;
const FIRST_WAIT_MS = 400;
const AS_USUAL = { alternatives: 4, hold_seconds: null, owner: null, partial: null };

/** Whether nobody knows if a call took effect, or it surely did not but may do so yet. */
export function isUnanswered(problem: unknown): boolean {
  return (
    problem instanceof Problem &&
    problem.retryable &&
    (problem.status === 0 || problem.status >= 500)
  );
}

/** Keys of wishes that have no answer yet: the same wish keeps its key, another one gets its own. */
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

  /** The wish was answered: the same wish again is a new one. */
  answered(): void {
    this.#wish = "";
  }
}

/** Repeats a call while nobody has answered it, with growing pauses. */
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

/** Places a hold of lines. */
export function usePlaceHold(onHeld: (hold: HoldView) => void) {
  const { ask } = useShop();
  const keys = useRef(new WishKeys());
  const changed = useHoldsChanged();
  return useMutation<HoldView, unknown, readonly AskedLine[]>({
    mutationFn: async (lines) => {
      const key = keys.current.keyOf(JSON.stringify(lines));
      const headers = { "Idempotency-Key": key };
      try {
        const hold = await repeatUnanswered(() =>
          ask((api) =>
            api.POST("/v1/holds", { body: { ...AS_USUAL, lines: [...lines] }, headers }),
          ),
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
