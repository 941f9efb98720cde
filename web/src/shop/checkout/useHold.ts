// A hold with the server's clock. It is read again when its time is up, so that the page never
// shows expired seats as held.
import { atServerTime, behindBy } from "@bespeak/browser";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { idempotencyKey } from "~/api/client";
import type { HoldView } from "~/api/schema";
import { showChanged } from "~/api/showChanged";
import { useHoldsChanged } from "../holds";
import { useShop } from "../session";

const JITTER_MS = 300;

export function useHold(holdId: string) {
  const { api, behindMs, setBehindMs } = useShop();
  const found = useQuery({
    queryKey: ["hold", holdId],
    staleTime: 0,
    queryFn: async () => {
      const sent = Date.now();
      const hold = await api.GET("/v1/holds/{hold_id}", { path: { hold_id: holdId } });
      if (hold.state === "held" && hold.expires_in_ms > 0) {
        const ends = Date.parse(hold.expires_at);
        const behind = behindBy(ends - hold.expires_in_ms, sent, Date.now());
        // Small differences are network jitter.
        if (Math.abs(behind - behindMs) > JITTER_MS) setBehindMs(behind);
      }
      return hold;
    },
  });
  const hold = found.data;
  const endsAt = hold?.state === "held" ? Date.parse(hold.expires_at) : null;
  const isOver = useEnd(endsAt, () => void found.refetch());
  return { found, isOver: hold !== undefined && (hold.state === "expired" || isOver) };
}

function useEnd(endsAt: number | null, onEnd: () => void): boolean {
  const { behindMs } = useShop();
  const [ended, setEnded] = useState<number | null>(null);
  useEffect(() => {
    if (endsAt === null) return;
    return atServerTime(endsAt, behindMs, () => {
      setEnded(endsAt);
      onEnd();
    });
    // Only the end and the clock restart the timer.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [endsAt, behindMs]);
  return endsAt !== null && ended === endsAt && Date.now() + behindMs >= endsAt;
}

/** The longest possible extension in seconds from now; 0 if it is not worth it. */
export function extensionSeconds(
  hold: Pick<HoldView, "expires_at" | "extends_until">,
  now: number,
): number {
  const cap = Date.parse(hold.extends_until);
  const gain = cap - Date.parse(hold.expires_at);
  // One second less, because the request takes time.
  return gain < 10_000 ? 0 : Math.max(0, Math.floor((cap - now) / 1000) - 1);
}

export function useHoldVerbs(holdId: string) {
  const { api, behindMs } = useShop();
  const queries = useQueryClient();
  const changed = useHoldsChanged();
  const took = async (hold: HoldView) => {
    await showChanged(queries, ["hold", holdId], hold);
    changed();
  };
  const path = { hold_id: holdId };
  const extend = useMutation({
    mutationFn: (hold: HoldView) => {
      const key = idempotencyKey();
      const seconds = extensionSeconds(hold, Date.now() + behindMs);
      const body = { seconds };
      return api.POST("/v1/holds/{hold_id}/extend", { path, body, key, repeats: true });
    },
    onSuccess: took,
  });
  const release = useMutation({
    mutationFn: () => {
      const key = idempotencyKey();
      return api.DELETE("/v1/holds/{hold_id}", { path, key, repeats: true });
    },
    onSuccess: took,
  });
  return { extend, release };
}
