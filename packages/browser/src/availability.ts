// The availability of a resource of any plan, read again when its live stream tells of a change: a store
// that a page shows. A rush of changes costs one reading at a time, and not more than one a second.
import { pause } from "../../core/pause.ts";
import type { Availability } from "../../core/schemas.ts";
import type { AvailabilityQuery } from "../../core/verbs.ts";
import type { Client } from "./client.ts";
import { Store, type Readable } from "./store.ts";

export type AvailabilityStatus = {
  /** Null until it is there. It stays while a newer one is read. */
  readonly availability: Availability | null;
  /** Why the last reading, or the stream, failed. */
  readonly error: unknown;
};

const EVERY_MS = 1000;

export class AvailabilityStore implements Readable<AvailabilityStatus> {
  readonly #client: Client;
  readonly #resourceId: string;
  readonly #query: AvailabilityQuery;
  readonly #store: Store<AvailabilityStatus>;
  readonly get: () => AvailabilityStatus;
  readonly subscribe: (listener: () => void) => () => void;
  #ended = new AbortController();
  #isReading = false;
  #isOld = false;

  constructor(client: Client, resourceId: string, query: AvailabilityQuery = {}) {
    this.#client = client;
    this.#resourceId = resourceId;
    this.#query = query;
    this.#store = new Store<AvailabilityStatus>(
      { availability: null, error: null },
      () => this.#open(),
      () => this.#ended.abort(),
    );
    this.get = this.#store.get;
    this.subscribe = this.#store.subscribe;
  }

  #open(): void {
    const ended = new AbortController();
    this.#ended = ended;
    this.#isReading = false;
    const readAgain = () => {
      this.#isOld = true;
      void this.#read(ended.signal);
    };
    const end = this.#client.follow(this.#resourceId, {
      onSnapshot: readAgain,
      onChange: readAgain,
      onStale: readAgain,
      onError: (error) => this.#store.set({ ...this.get(), error }),
    });
    ended.signal.addEventListener("abort", end);
    readAgain();
  }

  async #read(signal: AbortSignal): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#isOld && !signal.aborted) {
      this.#isOld = false;
      const status = await this.#answer(signal);
      if (signal.aborted) return;
      this.#store.set(status);
      await pause(EVERY_MS, signal).catch(() => undefined);
    }
    if (!signal.aborted) this.#isReading = false;
  }

  async #answer(signal: AbortSignal): Promise<AvailabilityStatus> {
    try {
      const availability = await this.#client.availability(this.#resourceId, this.#query, {
        signal,
      });
      return { availability, error: null };
    } catch (error) {
      return { ...this.get(), error };
    }
  }
}
