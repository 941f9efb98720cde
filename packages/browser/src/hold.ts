// One visitor's hold, from the wish to its end: a store that a page shows. It counts down by the server's
// clock, and reads the hold again when its time is up, so that no page shows expired seats as held.
import type { CallOptions } from "../../core/requests.ts";
import type { Contact, Hold, Line, PlaceHold } from "../../core/schemas.ts";
import type { Paid, PayWith } from "../../core/verbs.ts";
import type { Client } from "./client.ts";
import { atServerTime } from "./clock.ts";
import { Store, type Readable } from "./store.ts";
import { WishKeys } from "./wishes.ts";

/** How a hold ended. `over`: its time is up, and the server has not yet said more. */
export type HoldEnd = "expired" | "released" | "confirmed" | "over";

/** What a page shows. `error` is of the last thing that was tried. */
export type HoldStatus =
  | { readonly phase: "none"; readonly hold: null; readonly error: unknown }
  | { readonly phase: "placing"; readonly hold: null; readonly error: null }
  | { readonly phase: "held"; readonly hold: Hold; readonly error: unknown }
  | { readonly phase: "ended"; readonly hold: Hold; readonly how: HoldEnd; readonly error: null };

/** What a hold is placed with beside its lines. */
export type HoldWish = Omit<PlaceHold, "lines" | "owner">;

const NONE: HoldStatus = { phase: "none", hold: null, error: null };
/** A request takes a while, too. */
const EXTENSION_MARGIN_MS = 1000;

export class HoldStore implements Readable<HoldStatus> {
  readonly #client: Client;
  readonly #store = new Store<HoldStatus>(NONE);
  #cancel: () => void = () => undefined;
  readonly #keys = new WishKeys();
  readonly get = this.#store.get;
  readonly subscribe = this.#store.subscribe;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Holds these lines, behind a waiting room with its pass. A wish whose answer never came keeps its key, so that another try is the same
   * wish, and not a second hold. */
  async place(
    lines: readonly Line[],
    wish: HoldWish = {},
    options: Pick<CallOptions, "pass"> = {},
  ): Promise<Hold | null> {
    this.#store.set({ phase: "placing", hold: null, error: null });
    const body = { ...wish, lines: [...lines] };
    try {
      const hold = await this.#keys.carryOut(JSON.stringify(body), (idempotencyKey) =>
        this.#client.placeHold(body, { ...options, idempotencyKey }),
      );
      this.take(hold);
      return hold;
    } catch (error) {
      this.#store.set({ phase: "none", hold: null, error });
      return null;
    }
  }

  /** Goes on with a hold that was placed before, as after a reload. */
  async resume(holdId: string): Promise<Hold | null> {
    try {
      const hold = await this.#client.getHold(holdId);
      this.take(hold);
      return hold;
    } catch (error) {
      this.#failed(error);
      return null;
    }
  }

  /** Lets it last as long as it may. */
  async extend(): Promise<void> {
    await this.#changed((hold) => {
      const leftMs = Date.parse(hold.extends_until) - this.#client.clock.now();
      const seconds = Math.max(1, Math.floor((leftMs - EXTENSION_MARGIN_MS) / 1000));
      return this.#client.extendHold(hold.id, seconds);
    });
  }

  /** Gives it back. */
  async release(): Promise<void> {
    await this.#changed((hold) => this.#client.releaseHold(hold.id));
  }

  /** Pays for it. Without a booking in the answer the payment is under way; `resume` says when not any
   * more. Throws BespeakError. */
  async pay(payWith: PayWith): Promise<Paid> {
    const hold = this.#held();
    const paid = await this.#client.pay(hold.id, payWith);
    if (paid.booking !== null) this.take({ ...hold, state: "confirmed" });
    return paid;
  }

  /** Makes a booking of one that costs nothing. Throws BespeakError. */
  async confirm(more: { readonly contact?: Contact } = {}): Promise<string> {
    const hold = this.#held();
    const booking = await this.#client.confirmHold(hold.id, more);
    this.take({ ...hold, state: "confirmed" });
    return booking.id;
  }

  /** Shows this hold, as the server answered it. */
  take(hold: Hold): void {
    this.#cancel();
    if (hold.state !== "held") {
      this.#store.set({ phase: "ended", hold, how: hold.state, error: null });
      return;
    }
    this.#store.set({ phase: "held", hold, error: null });
    const endsAt = Date.parse(hold.expires_at);
    this.#cancel = atServerTime(
      endsAt,
      this.#client.clock.behindMs,
      () => void this.#timeIsUp(hold),
    );
  }

  /** Forgets it, and looks at no clock any more. The hold itself stays until its time. */
  close(): void {
    this.#cancel();
    this.#store.set(NONE);
  }

  async #timeIsUp(hold: Hold): Promise<void> {
    let found = hold;
    try {
      found = await this.#client.getHold(hold.id);
    } catch {
      // It is over by the clock, whether or not the server can be reached.
    }
    const status = this.#store.get();
    if (status.phase !== "held" || status.hold.id !== hold.id) return;
    const isLonger = Date.parse(found.expires_at) > Date.parse(hold.expires_at);
    if (found.state !== "held" || isLonger) return this.take(found);
    this.#store.set({ phase: "ended", hold: found, how: "over", error: null });
  }

  async #changed(change: (hold: Hold) => Promise<Hold>): Promise<void> {
    const status = this.#store.get();
    if (status.phase !== "held") return;
    try {
      this.take(await change(status.hold));
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    const status = this.#store.get();
    if (status.phase === "held") this.#store.set({ ...status, error });
    else this.#store.set({ phase: "none", hold: null, error });
  }

  #held(): Hold {
    const { hold } = this.#store.get();
    if (hold === null) throw new Error("there is no hold");
    return hold;
  }
}
