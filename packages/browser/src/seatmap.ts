// The types of the element <bespeak-seatmap>, whose script a server of Bespeak gives out. The element
// itself is held to them.
import type { PoolLevel } from "../../core/schemas.ts";
import type { SeatsPlan } from "../../core/schema.ts";
import type { TakenState } from "../../core/live.ts";

export type { SeatsPlan } from "../../core/schema.ts";
export type UnitState = TakenState | "free";

/** A chosen unit. `price` is in minor units; null: not known. */
export type SeatDetail = {
  unit: string;
  section: string;
  row: string;
  seat: string;
  category: string;
  price: number | null;
  accessible: boolean;
  x: number;
  y: number;
};

export type PoolDetail = { unit: string; quantity: number; price: number | null };

export type SelectionDetail = {
  units: SeatDetail[];
  pools: PoolDetail[];
  amount: number;
  currency: string;
};

export type SeatMapEvents = {
  "bespeak-select": CustomEvent<SelectionDetail>;
  "bespeak-ready": CustomEvent<{ units: number }>;
  "bespeak-change": CustomEvent<{ units_free: number }>;
  "bespeak-lost": CustomEvent<{ units: string[] }>;
  "bespeak-error": CustomEvent<{ code: string; detail: string }>;
};

/** Which of the best seats are wanted. */
export type BestWish = { category?: string | null; accessible?: boolean };

/** What `document.querySelector("bespeak-seatmap")` gives, once its script is there. */
export interface BespeakSeatMap extends HTMLElement {
  view: "map" | "list";
  /** What the page shows itself: set these with `offline`. */
  get plan(): object | null;
  set plan(plan: SeatsPlan | null);
  get prices(): Readonly<Record<string, number>>;
  set prices(prices: Readonly<Record<string, number>> | null);
  currency: string;
  defaultPrice: number | null;
  get taken(): Readonly<Record<string, UnitState>>;
  set taken(taken: Readonly<Record<string, UnitState>> | null);
  get pools(): Readonly<Record<string, PoolLevel>>;
  set pools(pools: Readonly<Record<string, PoolLevel>> | null);
  get selection(): string[];
  set selection(units: readonly string[]);
  get quantities(): Record<string, number>;
  set quantities(quantities: Readonly<Record<string, number>>);
  get mine(): string[];
  set mine(units: readonly string[]);
  holding: boolean;
  offline: boolean;
  readonly unitsFree: number | null;
  readonly resourceData: Readonly<Record<string, unknown>> | null;
  select(units: readonly string[]): string[];
  clear(): void;
  pickBest(quantity: number, wish?: BestWish): string[];
  focusUnit(unit: string): void;
  showUnits(units: readonly string[]): void;
  fit(): void;
  placeOf(unit: string): { x: number; y: number } | null;
  update(change: {
    units?: Readonly<Record<string, UnitState>>;
    pools?: Readonly<Record<string, PoolLevel>>;
  }): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "bespeak-seatmap": BespeakSeatMap;
  }
  interface HTMLElementEventMap extends SeatMapEvents {}
}
