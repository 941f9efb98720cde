// Where the state of a room comes from: the API's own resource, its prices, and the stream of its
// changes. Where streams do not get through, it asks every two seconds, and tries the stream again.
import { follow, type Change, type PoolLevel, type Snapshot } from "~/api/stream";
import type { UnitState } from "./seatStates";

export type ResourceData = Readonly<Record<string, unknown>>;

/** What one of it costs where nothing else says so, in minor units. */
export type Price = { amount: number; currency: string };

export type Refusal = { code: string; detail: string };

export type Listener = {
  onResource: (resource: ResourceData, price: Price | null) => void;
  onPrices: (prices: Readonly<Record<string, number>>) => void;
  onTaken: (taken: Readonly<Record<string, UnitState>>) => void;
  onPools: (pools: Readonly<Record<string, PoolLevel>>) => void;
  onChange: (units: Readonly<Record<string, UnitState>>) => void;
  /** Whether what is shown may be old, because nothing comes from the server. */
  onLine: (isLost: boolean) => void;
  onRefusal: (refusal: Refusal) => void;
};

const UNREACHABLE = "unreachable";
const SECONDS_MAX = 20;
const POLL_MS = 2000;
const LOSSES_MAX = 3;
const STREAM_AGAIN_MS = 30_000;
const SILENCE_MS = 8000;
/** A short break of the line is nobody's business. */
const PATIENCE_MS = 2500;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function readPrice(value: unknown): Price | null {
  const { amount, currency } = isRecord(value) ? value : {};
  return typeof amount === "number" && typeof currency === "string" ? { amount, currency } : null;
}

export class Source {
  readonly #base: string;
  readonly #resource: string;
  readonly #key: string;
  readonly #listener: Listener;
  readonly #ended = new AbortController();
  #unfollow: (() => void) | null = null;
  #losses = 0;
  #poll: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #worry: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #etag = "";

  constructor(options: { base: string; resource: string; key: string }, listener: Listener) {
    this.#base = options.base || globalThis.location.origin;
    this.#resource = options.resource;
    this.#key = options.key;
    this.#listener = listener;
  }

  /** Reads the resource and follows it from then on. */
  async start(): Promise<void> {
    const refusal = await this.#readAll();
    if (this.#ended.signal.aborted) return;
    if (refusal === null) this.#follow();
    else this.#listener.onRefusal(refusal);
  }

  stop(): void {
    this.#ended.abort();
    this.#unfollow?.();
    for (const timer of [this.#poll, this.#again, this.#worry, this.#silence]) clearTimeout(timer);
  }

  async #readAll(): Promise<Refusal | null> {
    const path = `/v1/resources/${encodeURIComponent(this.#resource)}`;
    const [resource, seen] = await Promise.all([
      this.#get(path),
      this.#get(`${path}/availability`),
    ]);
    if (this.#ended.signal.aborted) return null;
    for (const answer of [resource, seen]) if ("code" in answer) return answer;
    if ("body" in resource)
      this.#listener.onResource(resource.body, readPrice(resource.body["price"]));
    if ("body" in seen) this.#seen(seen.body);
    return null;
  }

  #seen(body: ResourceData): void {
    const prices: Record<string, number> = {};
    if (isRecord(body["prices"])) {
      for (const [name, price] of Object.entries(body["prices"])) {
        if (typeof price === "number") prices[name] = price;
      }
    }
    this.#listener.onPrices(prices);
    const taken: Record<string, UnitState> = {};
    if (isRecord(body["taken"])) {
      for (const [unit, one] of Object.entries(body["taken"])) {
        const state = isRecord(one) ? one["state"] : one;
        taken[unit] = state === "held" || state === "blocked" ? state : "booked";
      }
    }
    this.#listener.onTaken(taken);
    const pools: Record<string, PoolLevel> = {};
    if (isRecord(body["pools"])) {
      for (const [unit, level] of Object.entries(body["pools"])) {
        if (!isRecord(level)) continue;
        const { capacity, available } = level;
        if (typeof capacity === "number" && typeof available === "number") {
          pools[unit] = { capacity, available };
        }
      }
    }
    this.#listener.onPools(pools);
  }

  #follow(): void {
    if (typeof EventSource === "undefined") return this.#pollSoon(0);
    this.#unfollow?.();
    this.#losses = 0;
    // A proxy may take the stream and give nothing of it on.
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#giveUp(), SILENCE_MS);
    this.#unfollow = follow(
      { base: this.#base, resource: this.#resource, key: this.#key },
      {
        onSnapshot: (snapshot: Snapshot) => {
          this.#streams();
          this.#listener.onTaken(snapshot.taken ?? {});
          this.#listener.onPools(snapshot.pools ?? {});
        },
        onChange: (change: Change) => {
          this.#streams();
          this.#listener.onChange(change.units);
          if (change.pools) this.#listener.onPools(change.pools);
        },
        onStale: () => void this.#readAgain(),
        onState: (state) => {
          if (state === "lost") this.#lost();
        },
      },
    );
  }

  /** The stream gives: nobody needs to ask. */
  #streams(): void {
    this.#losses = 0;
    clearTimeout(this.#silence);
    clearTimeout(this.#poll);
    this.#poll = undefined;
    this.#heard();
  }

  #heard(): void {
    clearTimeout(this.#worry);
    this.#worry = undefined;
    this.#listener.onLine(false);
  }

  #lost(): void {
    this.#losses += 1;
    this.#worry ??= setTimeout(() => this.#listener.onLine(true), PATIENCE_MS);
    if (this.#losses >= LOSSES_MAX) this.#giveUp();
  }

  /** No stream for now: it asks, and later tries the stream again beside that. */
  #giveUp(): void {
    clearTimeout(this.#silence);
    this.#unfollow?.();
    this.#unfollow = null;
    if (this.#poll === undefined) this.#pollSoon(0);
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.#follow(), STREAM_AGAIN_MS);
  }

  /** The resource itself is another now. The stream begins anew, so that an answer that was slow does
   * not hide what came meanwhile. */
  async #readAgain(): Promise<void> {
    const refusal = await this.#readAll();
    if (this.#ended.signal.aborted) return;
    if (refusal === null) this.#follow();
    else if (refusal.code !== UNREACHABLE) this.#listener.onRefusal(refusal);
    else this.#again = setTimeout(() => void this.#readAgain(), POLL_MS);
  }

  #pollSoon(after: number): void {
    clearTimeout(this.#poll);
    this.#poll = setTimeout(() => void this.#ask(), after);
  }

  async #ask(): Promise<void> {
    const asked = this.#poll;
    const path = `/v1/resources/${encodeURIComponent(this.#resource)}/availability`;
    const answer = await this.#get(path, this.#etag);
    // Meanwhile the stream may have come back, with what is newer.
    if (this.#ended.signal.aborted || this.#poll !== asked) return;
    if ("code" in answer) {
      this.#worry ??= setTimeout(() => this.#listener.onLine(true), PATIENCE_MS);
    } else {
      if ("body" in answer) {
        this.#etag = answer.etag;
        this.#seen(answer.body);
      }
      this.#heard();
    }
    this.#pollSoon(POLL_MS);
  }

  async #get(
    path: string,
    etag = "",
  ): Promise<{ body: ResourceData; etag: string } | { same: true } | Refusal> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (this.#key) headers["Authorization"] = `Bearer ${this.#key}`;
    if (etag) headers["If-None-Match"] = etag;
    try {
      const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(SECONDS_MAX * 1000)]);
      const answer = await fetch(new URL(path, this.#base), { headers, signal });
      if (answer.status === 304) return { same: true };
      const body: unknown = await answer.json();
      if (answer.ok && isRecord(body)) return { body, etag: answer.headers.get("etag") ?? "" };
      const { code, detail } = isRecord(body) ? body : {};
      return {
        code: typeof code === "string" ? code : "unreadable_answer",
        detail: typeof detail === "string" ? detail : "",
      };
    } catch {
      return { code: UNREACHABLE, detail: "The server cannot be reached" };
    }
  }
}
