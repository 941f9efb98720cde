// The live state of a resource, over server-sent events that come by fetch. A stream that ends, fails or
// falls silent is opened again where it was, after a pause that grows.
import { pause } from "./pause.ts";
import { addressOf } from "./address.ts";
import { BespeakError, errorOf } from "./problems.ts";
import type { PoolLevel } from "./schemas.ts";
import { readEvents, type ServerSentEvent } from "./sse.ts";

/** Where streams come from, and with which rights. */
export type LiveSource = {
  readonly url: string;
  readonly headers?: () =>
    Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
};

export type TakenState = "held" | "booked" | "blocked";

/** The whole. Only of seat maps are there `taken`, `pools` and counts. */
export type LiveSnapshot = {
  readonly resource_id: string;
  readonly resource_version: number;
  readonly at: string;
  readonly taken?: Readonly<Record<string, TakenState>>;
  readonly pools?: Readonly<Record<string, PoolLevel>>;
  readonly units_total?: number | null;
  readonly units_free: number | null;
};

/** What is different now. */
export type LiveChange = {
  readonly units: Readonly<Record<string, TakenState | "free">>;
  readonly pools?: Readonly<Record<string, PoolLevel>>;
  readonly units_free: number | null;
};

export type LiveState = "connecting" | "live" | "lost";

export type LiveListener = {
  readonly onSnapshot: (snapshot: LiveSnapshot) => void;
  readonly onChange: (change: LiveChange) => void;
  /** The resource itself may have changed: read it again. A snapshot follows. */
  readonly onStale?: () => void;
  readonly onState?: (state: LiveState) => void;
  /** It was refused, and will be again: nothing more comes. */
  readonly onError?: (error: BespeakError) => void;
};

const PAUSE_MS = 1000;
const PAUSE_MS_MAX = 30_000;
/** A heartbeat comes every 15 seconds. */
const SILENCE_MS_MAX = 40_000;

/** Follows a resource; the function that it answers ends that. */
export function followLive(
  source: LiveSource,
  resourceId: string,
  listener: LiveListener,
): () => void {
  const ended = new AbortController();
  void new LiveStream(source, resourceId, listener, ended.signal).run();
  return () => ended.abort();
}

class LiveStream {
  readonly #source: LiveSource;
  readonly #path: string;
  readonly #listener: LiveListener;
  readonly #ended: AbortSignal;
  #cursor = "";
  #failures = 0;

  constructor(source: LiveSource, resourceId: string, listener: LiveListener, ended: AbortSignal) {
    this.#source = source;
    this.#path = `/v1/resources/${encodeURIComponent(resourceId)}/stream`;
    this.#listener = listener;
    this.#ended = ended;
  }

  async run(): Promise<void> {
    while (!this.#ended.aborted) {
      this.#listener.onState?.("connecting");
      let toldMs = 0;
      try {
        await this.#readOnce();
      } catch (error) {
        if (this.#ended.aborted) return;
        if (error instanceof BespeakError && !error.isUnavailable) {
          this.#listener.onState?.("lost");
          return this.#listener.onError?.(error);
        }
        toldMs = error instanceof BespeakError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
      }
      if (this.#ended.aborted) return;
      this.#listener.onState?.("lost");
      await pause(this.#pauseMs(toldMs), this.#ended).catch(() => undefined);
    }
  }

  // Those that were cut off together must not come back together.
  #pauseMs(toldMs: number): number {
    const most = Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
    return Math.max(most * (0.5 + Math.random() / 2), toldMs);
  }

  async #readOnce(): Promise<void> {
    const silent = new AbortController();
    let timer = setTimeout(() => silent.abort(), SILENCE_MS_MAX);
    const signal = AbortSignal.any([this.#ended, silent.signal]);
    try {
      const { body } = await this.#open(signal);
      if (body === null) return;
      this.#listener.onState?.("live");
      for await (const event of readEvents(body)) {
        if (this.#ended.aborted) return;
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), SILENCE_MS_MAX);
        if (event !== null) this.#take(event);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async #open(signal: AbortSignal): Promise<Response> {
    const { url, headers, fetch = globalThis.fetch } = this.#source;
    const own: Record<string, string> = { accept: "text/event-stream", ...(await headers?.()) };
    if (this.#cursor !== "") own["last-event-id"] = this.#cursor;
    const response = await fetch(addressOf(url, this.#path), { headers: own, signal });
    if (!response.ok) throw errorOf(response.status, await response.text(), response.headers);
    return response;
  }

  // The data is as the reference of live streams says.
  #take({ id, name, data }: ServerSentEvent): void {
    if (id !== "") this.#cursor = id;
    if (name === "snapshot") this.#listener.onSnapshot(JSON.parse(data));
    else if (name === "change") this.#listener.onChange(JSON.parse(data));
    else if (name === "stale") this.#listener.onStale?.();
    this.#failures = 0;
  }
}
