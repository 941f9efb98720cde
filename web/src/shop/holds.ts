// The visitor's live holds, on every page and tab.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { allItems } from "~/api/pages";
import type { HoldView, Line } from "~/api/schema";
import { useShop } from "./session";

const KEY = ["holds"] as const;

/** The number of units; pools count by quantity. */
export function unitsIn(lines: readonly Pick<Line, "quantity">[]): number {
  return lines.reduce((sum, line) => sum + (line.quantity ?? 1), 0);
}

export function bookingOf(holdId: string): string {
  return holdId.replace(/^hold_/, "bkg_");
}

export function useLiveHolds(): { items: readonly HoldView[]; refresh: () => void } {
  const { api, session } = useShop();
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: [...KEY, session.owner],
    queryFn: () =>
      allItems((after) => api.GET("/v1/holds", { query: { state: "held", ...after } })),
    refetchInterval: 60_000,
  });
  const refresh = useCallback(() => void queries.invalidateQueries({ queryKey: KEY }), [queries]);
  const items = [...(found.data ?? [])].filter((hold) => hold.expires_in_ms > 0);
  items.sort((one, other) => Date.parse(one.expires_at) - Date.parse(other.expires_at));
  return { items, refresh };
}

export function useHoldsChanged(): () => void {
  const queries = useQueryClient();
  return useCallback(() => void queries.invalidateQueries({ queryKey: KEY }), [queries]);
}
