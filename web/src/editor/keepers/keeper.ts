// What a room can be kept as, to be sold in many times: in words of its own, by calls of its own.
import type { SeatsPlan as FullPlan } from "~/api/schema";
import type { SeatsPlan } from "~/seatmap/plan";

type Named = { readonly id: string; readonly name: string };
/** What was kept, and the place that it is in. */
export type Kept = { readonly name: string; readonly home: Named };

export type Keeper = {
  /** The part of the texts that speaks of it, and how an address names one. */
  readonly words: "hall" | "screen";
  /** How an address names the place that a new one is in. */
  readonly home: string;
  /** What the console read of it is stale once one is kept. */
  readonly stale: readonly string[];
  readonly homesKey: readonly string[];
  readonly homes: () => Promise<readonly Named[]>;
  readonly newHome: string;
  readonly homePath: (id: string) => string;
  readonly open: (id: string) => Promise<{ plan: SeatsPlan; title: string }>;
  /** Said again with the same key, it is made once. */
  readonly keep: (plan: SeatsPlan, home: string, name: string, key: string) => Promise<Kept>;
  /** Changes its room, for what is made of it from now on. */
  readonly change: (plan: SeatsPlan, id: string) => Promise<Kept>;
};

// The API's types demand what the format may leave out.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine adds the defaults
export const asFull = (plan: SeatsPlan) => plan as FullPlan;
