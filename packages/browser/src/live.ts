// What of a resource is taken, kept current by its live stream: a store that a page shows. The stream is
// open while somebody is subscribed.
import type { BespeakError } from "../../core/problems.ts";
import type { LiveChange, LiveState, TakenState } from "../../core/live.ts";
import type { PoolLevel } from "../../core/schemas.ts";
import type { Client } from "./client.ts";
import { Store, type Readable } from "./store.ts";

/** The state of a resource. `version` rises when the resource itself may have changed: read it again.
 * `changes` rises with every change; of plans other than seat maps nothing else tells of one. */
export type LiveStatus = {
  readonly state: LiveState;
  readonly taken: Readonly<Record<string, TakenState>>;
  readonly pools: Readonly<Record<string, PoolLevel>>;
  readonly unitsTotal: number | null;
  readonly unitsFree: number | null;
  readonly version: number;
  readonly changes: number;
  readonly error: BespeakError | null;
};

const EMPTY: LiveStatus = {
  state: "connecting",
  taken: {},
  pools: {},
  unitsTotal: null,
  unitsFree: null,
  version: 0,
  changes: 0,
  error: null,
};

export class LiveStore implements Readable<LiveStatus> {
  readonly #store: Store<LiveStatus>;
  readonly get: () => LiveStatus;
  readonly subscribe: (listener: () => void) => () => void;
  #end: () => void = () => undefined;

  constructor(client: Client, resourceId: string) {
    this.#store = new Store(
      EMPTY,
      () => this.#open(client, resourceId),
      () => this.#end(),
    );
    this.get = this.#store.get;
    this.subscribe = this.#store.subscribe;
  }

  #open(client: Client, resourceId: string): void {
    this.#end = client.follow(resourceId, {
      onSnapshot: ({ taken = {}, pools = {}, units_total: total = null, units_free: free }) =>
        this.#show({ taken, pools, unitsTotal: total, unitsFree: free }, true),
      onChange: (change) => this.#show(changed(this.get(), change), true),
      onStale: () => this.#show({ version: this.get().version + 1 }),
      onState: (state) => this.#show({ state }),
      onError: (error) => this.#show({ error }),
    });
  }

  #show(more: Partial<LiveStatus>, isChange = false): void {
    const status = this.get();
    this.#store.set({ ...status, ...more, changes: status.changes + (isChange ? 1 : 0) });
  }
}

function changed({ taken, pools }: LiveStatus, change: LiveChange): Partial<LiveStatus> {
  const now: Record<string, TakenState> = { ...taken };
  for (const [unit, state] of Object.entries(change.units)) {
    if (state === "free") delete now[unit];
    else if (state !== null) now[unit] = state;
  }
  return { taken: now, pools: { ...pools, ...change.pools }, unitsFree: change.units_free };
}
