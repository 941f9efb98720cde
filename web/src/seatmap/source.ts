// Reads a resource and its prices, and follows its stream. When streams fail, it polls every two
// seconds and retries the stream.
import { followLive, type LiveChange, type LiveSnapshot } from "@bespeak/browser";
import { isRecord } from "~/api/record";
import type { PoolLevel } from "~/api/schema";
import type { UnitState } from "./seatStates";

export type ResourceData = Readonly<Record<string, unknown>>;

/** The default price, in minor units. */
export type Price = { amount: number; currency: string };

export type SourceError = { code: string; detail: string };

export type Listener = {
  onResource: (resource: ResourceData, price: Price | null) => void;
  onPrices: (prices: Readonly<Record<string, number>>) => void;
  onTaken: (taken: Readonly<Record<string, UnitState>>) => void;
  onPools: (pools: Readonly<Record<string, PoolLevel>>) => void;
  onChange: (units: Readonly<Record<string, UnitState>>) => void;
  /** Whether the state may be stale, because the connection is lost. */
  onConnection: (isLost: boolean) => void;
  onError: (failure: SourceError) => void;
};

const UNREACHABLE = "unreachable";
const SECONDS_MAX = 20;
const POLL_MS = 2000;
const LOSSES_MAX = 3;
const STREAM_AGAIN_MS = 30_000;
const FIRST_EVENT_MS = 8000;
/** Shorter interruptions are not shown. */
const STALE_NOTICE_MS = 2500;

function readPrice(value: unknown): Price | null {
  const { amount, currency } = isRecord(value) ? value : {};
  return typeof amount === "number" && typeof currency === "string" ? { amount, currency } : null;
}

/** The fields of an object that are of a kind. */
function fieldsOf<T>(value: unknown, is: (one: unknown) => one is T): Record<string, T> {
  const fields: Record<string, T> = {};
  for (const [name, one] of Object.entries(isRecord(value) ? value : {})) {
    if (is(one)) fields[name] = one;
  }
  return fields;
}

function isLevel(value: unknown): value is PoolLevel {
  const { capacity, available } = isRecord(value) ? value : {};
  return typeof capacity === "number" && typeof available === "number";
}

export class Source {
  readonly #base: string;
  readonly #resource: string;
  readonly #key: string;
  readonly #listener: Listener;
  readonly #ended = new AbortController();
  #unfollow: (() => void) | null = null;
  #losses = 0;
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #staleTimer: ReturnType<typeof setTimeout> | undefined;
  #firstEventTimer: ReturnType<typeof setTimeout> | undefined;
  #etag = "";

  constructor(options: { base: string; resource: string; key: string }, listener: Listener) {
    this.#base = options.base || globalThis.location.origin;
    this.#resource = options.resource;
    this.#key = options.key;
    this.#listener = listener;
  }

  async start(): Promise<void> {
    const failure = await this.#readAll();
    if (this.#ended.signal.aborted) return;
    if (failure === null) this.#follow();
    else this.#listener.onError(failure);
  }

  stop(): void {
    this.#ended.abort();
    this.#unfollow?.();
    for (const timer of [
      this.#pollTimer,
      this.#retryTimer,
      this.#staleTimer,
      this.#firstEventTimer,
    ])
      clearTimeout(timer);
  }

  async #readAll(): Promise<SourceError | null> {
    const path = `/v1/resources/${encodeURIComponent(this.#resource)}`;
    const [resource, seen] = await Promise.all([
      this.#get(path),
      this.#get(`${path}/availability`),
    ]);
    if (this.#ended.signal.aborted) return null;
    for (const answer of [resource, seen]) if ("code" in answer) return answer;
    if ("body" in resource)
      this.#listener.onResource(resource.body, readPrice(resource.body["price"]));
    if ("body" in seen) this.#readAvailability(seen.body);
    return null;
  }

  #readAvailability(body: ResourceData): void {
    this.#listener.onPrices(fieldsOf(body["prices"], (one) => typeof one === "number"));
    const taken = isRecord(body["taken"]) ? Object.entries(body["taken"]) : [];
    const states = taken.map(([unit, one]): [string, UnitState] => {
      const state = isRecord(one) ? one["state"] : one;
      return [unit, state === "held" || state === "blocked" ? state : "booked"];
    });
    this.#listener.onTaken(Object.fromEntries(states));
    this.#listener.onPools(fieldsOf(body["pools"], isLevel));
  }

  #follow(): void {
    this.#unfollow?.();
    this.#losses = 0;
    // A proxy may accept the stream and buffer it for ever.
    clearTimeout(this.#firstEventTimer);
    this.#firstEventTimer = setTimeout(() => this.#fallBack(), FIRST_EVENT_MS);
    const live = { url: this.#base, headers: () => this.#rights() };
    this.#unfollow = followLive(live, this.#resource, {
      onSnapshot: (snapshot: LiveSnapshot) => {
        this.#streamWorks();
        this.#listener.onTaken(snapshot.taken ?? {});
        this.#listener.onPools(snapshot.pools ?? {});
      },
      onChange: (change: LiveChange) => {
        this.#streamWorks();
        this.#listener.onChange(change.units);
        if (change.pools) this.#listener.onPools(change.pools);
      },
      onStale: () => void this.#reload(),
      onState: (state) => {
        if (state === "lost") this.#lost();
      },
      onError: () => this.#fallBack(),
    });
  }

  /** The stream works: stop polling. */
  #streamWorks(): void {
    this.#losses = 0;
    clearTimeout(this.#firstEventTimer);
    clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
    this.#markFresh();
  }

  #markFresh(): void {
    clearTimeout(this.#staleTimer);
    this.#staleTimer = undefined;
    this.#listener.onConnection(false);
  }

  #lost(): void {
    this.#losses += 1;
    this.#staleTimer ??= setTimeout(() => this.#listener.onConnection(true), STALE_NOTICE_MS);
    if (this.#losses >= LOSSES_MAX) this.#fallBack();
  }

  /** Polls for now, and retries the stream later. */
  #fallBack(): void {
    clearTimeout(this.#firstEventTimer);
    this.#unfollow?.();
    this.#unfollow = null;
    if (this.#pollTimer === undefined) this.#pollSoon(0);
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#follow(), STREAM_AGAIN_MS);
  }

  /** Reads the changed resource. The stream restarts, so that a slow answer does not overwrite
   * later events. */
  async #reload(): Promise<void> {
    const failure = await this.#readAll();
    if (this.#ended.signal.aborted) return;
    if (failure === null) this.#follow();
    else if (failure.code !== UNREACHABLE) this.#listener.onError(failure);
    else this.#retryTimer = setTimeout(() => void this.#reload(), POLL_MS);
  }

  #pollSoon(after: number): void {
    clearTimeout(this.#pollTimer);
    this.#pollTimer = setTimeout(() => void this.#poll(), after);
  }

  async #poll(): Promise<void> {
    const asked = this.#pollTimer;
    const path = `/v1/resources/${encodeURIComponent(this.#resource)}/availability`;
    const answer = await this.#get(path, this.#etag);
    // The stream may have recovered meanwhile, with newer state.
    if (this.#ended.signal.aborted || this.#pollTimer !== asked) return;
    if ("code" in answer) {
      this.#staleTimer ??= setTimeout(() => this.#listener.onConnection(true), STALE_NOTICE_MS);
    } else {
      if ("body" in answer) {
        this.#etag = answer.etag;
        this.#readAvailability(answer.body);
      }
      this.#markFresh();
    }
    this.#pollSoon(POLL_MS);
  }

  /** Without a key, the console's cookie goes along. */
  #rights(): Record<string, string> {
    return this.#key ? { authorization: `Bearer ${this.#key}` } : {};
  }

  async #get(
    path: string,
    etag = "",
  ): Promise<{ body: ResourceData; etag: string } | { same: true } | SourceError> {
    // All languages: the map switches its own without a call.
    const headers: Record<string, string> = {
      accept: "application/json",
      "accept-language": "*",
      ...this.#rights(),
    };
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
