// Places a hold. One without an answer is asked for again under its key, by the page and by the visitor.
import { WishKeys } from "@bespeak/browser";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import type { HoldView, Line } from "~/api/schema";
import { useHoldsChanged } from "../holds";
import { useShop } from "../session";

const AS_USUAL = { alternatives: 4, hold_seconds: null, owner: null, partial: null };

/** `onHeld` is told of a hold, and by which lines it was asked for. It may be in place of a booking. */
export function usePlaceHold(
  onHeld: (hold: HoldView, asked: readonly Line[]) => void,
  insteadOf: string | null = null,
) {
  const { api } = useShop();
  const keys = useRef(new WishKeys());
  const changed = useHoldsChanged();
  return useMutation<HoldView, unknown, readonly Line[]>({
    mutationFn: (lines) =>
      keys.current.carryOut(JSON.stringify([lines, insteadOf]), (key) =>
        api.POST("/v1/holds", {
          body: { ...AS_USUAL, instead_of_booking: insteadOf, lines: [...lines] },
          key,
          repeats: true,
        }),
      ),
    onSuccess: (hold, asked) => {
      changed();
      onHeld(hold, asked);
    },
  });
}
