// The live state of a show: taken units and levels of pools.
import {
  followLive,
  type LiveChange,
  type LiveSnapshot,
  type LiveState,
  type TakenState,
} from "@bespeak/browser";
import { useEffect, useState } from "react";
import type { PoolLevel } from "~/api/schema";

export type Live = {
  readonly taken: Readonly<Record<string, TakenState>>;
  readonly pools: Readonly<Record<string, PoolLevel>>;
  readonly free: number | null;
};

export function fromSnapshot(snapshot: LiveSnapshot): Live {
  return {
    taken: snapshot.taken ?? {},
    pools: snapshot.pools ?? {},
    free: snapshot.units_free,
  };
}

export function afterChange(live: Live, change: LiveChange): Live {
  const taken = { ...live.taken };
  for (const [unit, state] of Object.entries(change.units)) {
    if (state === "free") delete taken[unit];
    else taken[unit] = state;
  }
  return { taken, pools: { ...live.pools, ...change.pools }, free: change.units_free };
}

export function tally(live: Live): Record<TakenState, number> {
  const counts = { held: 0, booked: 0, blocked: 0 };
  for (const state of Object.values(live.taken)) counts[state] += 1;
  return counts;
}

/** Follows a show. `onEvent` is called on every change, `onStale` when the show itself was changed.
 */
export function useLive(
  resource: string,
  heard: { readonly onEvent: () => void; readonly onStale: () => void },
): { readonly live: Live | null; readonly line: LiveState } {
  const [live, setLive] = useState<Live | null>(null);
  const [line, setLine] = useState<LiveState>("connecting");
  const { onEvent, onStale } = heard;
  useEffect(
    () =>
      // The console's cookie goes along.
      followLive({ url: location.origin }, resource, {
        onSnapshot: (snapshot) => {
          setLive(fromSnapshot(snapshot));
          onEvent();
        },
        onChange: (change) => {
          setLive((before) => before && afterChange(before, change));
          onEvent();
        },
        onStale,
        onState: setLine,
      }),
    [resource, onEvent, onStale],
  );
  return { live, line };
}
