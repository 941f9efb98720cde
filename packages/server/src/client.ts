// A server of Bespeak from a program: the verbs of the library over HTTP, with the same words.
import { pause } from "../../core/pause.ts";
import { BespeakError, errorOfPart } from "../../core/problems.ts";
import {
  ask,
  asHeader,
  linkHeader,
  once,
  write,
  type CallOptions,
  type WriteOptions,
} from "../../core/requests.ts";
import type {
  Audit,
  BatchHold,
  Block,
  BlockLine,
  BlockPage,
  Booking,
  CallOff,
  CalledOff,
  Event,
  EventPage,
  FeedSnapshotPage,
  Hold,
  HoldBatchAnswer,
  MintToken,
  MoveBooking,
  NewResource,
  PlaceBlock,
  PlaceBlocks,
  Resource,
  ResourceChange,
  ShopperToken,
} from "../../core/schemas.ts";
import { Transport, type TransportOptions } from "../../core/transport.ts";
import { bookingPath, resourcePath, type PageQuery, type Written } from "../../core/verbs.ts";
import { resourceOfBlock } from "./blockIds.ts";
import { WaitingVerbs } from "./waiting.ts";

export type ClientOptions = TransportOptions & {
  /** A key of the server: an `sk_` sells, an `ak_` also creates. A `pk_` needs a shopper token. */
  readonly key: string;
  readonly shopperToken?: string;
  /** The token of a mail's link to an entry of a waitlist, with a `pk_`: it opens that entry, the holds
   * that it was offered and their payments. */
  readonly waitlistLink?: string;
};

/** What became of one hold of a batch. */
export type HoldOutcome =
  | { readonly hold: Written<Hold>; readonly error: null }
  | { readonly hold: null; readonly error: BespeakError };

/** Where to follow the feed from, and of what. */
export type FollowOptions = {
  /** The cursor of the last event that you have done. */
  readonly after?: string;
  readonly resource_id?: string;
  readonly signal?: AbortSignal;
};

const FOLLOW_PAUSE_MS = 200;
const FOLLOW_PAUSE_MS_MAX = 2000;
const PAGE = 500;

/** A server at `url`, with one of its keys. What it cannot answer now is asked for again, for
 * `timeoutSeconds` in all. What changes something goes under an idempotency key, one of the client's
 * own if none is given, so that it is done once however often it is sent. Verbs throw BespeakError. */
export class Client extends WaitingVerbs {
  constructor(options: ClientOptions) {
    const headers: Record<string, string> = {
      authorization: `Bearer ${asHeader(options.key, "key")}`,
    };
    if (options.shopperToken !== undefined) headers["bespeak-shopper"] = options.shopperToken;
    Object.assign(headers, linkHeader(options.waitlistLink));
    super(new Transport(options, { headers: () => headers }));
  }

  /** Places up to 500 holds, none of which hangs on another; what became of each, in their order. A
   * hold without a key of its own goes under that of the call, with its place. */
  async placeHolds(
    holds: readonly BatchHold[],
    options: WriteOptions = {},
  ): Promise<HoldOutcome[]> {
    const request = write("POST", "/v1/holds/batch", { holds }, options);
    const answer = await this.transport.send<HoldBatchAnswer>(request, options);
    return this.answered(answer).items.map(({ status, hold, problem, repeated }) =>
      hold === null
        ? { hold, error: errorOfPart(status, { ...problem }) }
        : { hold: { ...hold, replayed: repeated }, error: null },
    );
  }

  /** Creates a resource with its plan. */
  createResource(body: NewResource, options: WriteOptions = {}): Promise<Written<Resource>> {
    return this.written("POST", "/v1/resources", body, options);
  }

  /** Changes fields of a resource. It has no key: after `server_unreachable`, read it. */
  updateResource(
    resourceId: string,
    body: ResourceChange,
    options: CallOptions = {},
  ): Promise<Resource> {
    return this.done(once("PATCH", resourcePath(resourceId), body), options);
  }

  /** All resources, page by page. */
  async *eachResource(
    query: { readonly kind?: string; readonly limit?: number } = {},
  ): AsyncGenerator<Resource, void> {
    let after: string | null | undefined;
    do {
      const page = await this.listResources({ limit: PAGE, ...query, ...(after && { after }) });
      yield* page.items;
      after = page.next;
    } while (after !== null);
  }

  /** Moves what a booking has to other units of the same resource, all or nothing. */
  moveBooking(
    bookingId: string,
    body: MoveBooking,
    options: WriteOptions = {},
  ): Promise<Written<Booking>> {
    return this.written("POST", `${bookingPath(bookingId)}/moves`, body, options);
  }

  /** Takes units out of sale. */
  block(resourceId: string, body: PlaceBlock, options: WriteOptions = {}): Promise<Written<Block>> {
    return this.written("POST", `${resourcePath(resourceId)}/blocks`, body, options);
  }

  /** Takes units of several resources out of sale, all of them or nothing. */
  blockTogether(body: PlaceBlocks, options: WriteOptions = {}): Promise<Written<BlockPage>> {
    return this.written("POST", "/v1/blocks", body, options);
  }

  /** Puts a block's units back on sale, or some of them. */
  unblock(
    blockId: string,
    lines?: readonly BlockLine[],
    options: WriteOptions = {},
  ): Promise<Written<Block>> {
    const path = `${resourcePath(resourceOfBlock(blockId))}/blocks/${blockId}`;
    return this.written("DELETE", path, lines === undefined ? {} : { lines }, options);
  }

  /** A page of the blocks of a resource. */
  listBlocks(
    resourceId: string,
    query: PageQuery = {},
    options: CallOptions = {},
  ): Promise<BlockPage> {
    return this.found(`${resourcePath(resourceId)}/blocks`, query, options);
  }

  /** Closes a resource and has all its bookings cancelled, in the background. */
  callOff(
    resourceId: string,
    body: CallOff,
    options: WriteOptions = {},
  ): Promise<Written<CalledOff>> {
    return this.written("POST", `${resourcePath(resourceId)}/cancellation`, body, options);
  }

  /** How far the calling off of a resource has come. */
  cancellation(resourceId: string, options: CallOptions = {}): Promise<CalledOff> {
    return this.found(`${resourcePath(resourceId)}/cancellation`, {}, options);
  }

  /** Recounts a resource from its holds and bookings. */
  audit(resourceId: string, options: CallOptions = {}): Promise<Audit> {
    return this.found(`${resourcePath(resourceId)}/audit`, {}, options);
  }

  /** A page of the feed after a cursor. */
  events(
    query: PageQuery & { readonly resource_id?: string } = {},
    options: CallOptions = {},
  ): Promise<EventPage> {
    return this.found("/v1/events", query, options);
  }

  /** A page of what stands, and the cursor to follow the feed from. */
  eventsSnapshot(query: PageQuery = {}, options: CallOptions = {}): Promise<FeedSnapshotPage> {
    return this.found("/v1/events/snapshot", query, options);
  }

  /** The events of the feed after a cursor, and then each as it comes, without an end, through any
   * absence of the server. Keep the `cursor` of what you have done, and begin there again. Throws
   * `cursor_expired`, `cursor_of_another_life` and `invalid_cursor`; an abort ends it. */
  async *follow(options: FollowOptions = {}): AsyncGenerator<Event, void> {
    const { signal, ...query } = options;
    const call = signal === undefined ? {} : { signal };
    let { after } = options;
    let ms = FOLLOW_PAUSE_MS;
    try {
      for (;;) {
        const page = await this.#pageOfFeed(
          { ...query, ...(after !== undefined && { after }) },
          call,
        );
        yield* page.items;
        after = page.next;
        ms = page.items.length > 0 ? FOLLOW_PAUSE_MS : Math.min(FOLLOW_PAUSE_MS_MAX, ms * 1.5);
        if (page.items.length < PAGE) await pause(ms, signal);
      }
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  }

  /** A token with which a browser may hold for this owner. */
  async mintToken(body: MintToken, options: CallOptions = {}): Promise<ShopperToken> {
    return this.answered(await this.transport.send(ask("/v1/shopper-tokens", body), options));
  }

  async #pageOfFeed(query: PageQuery & { resource_id?: string }, call: CallOptions) {
    for (;;) {
      try {
        return await this.events({ ...query, limit: PAGE }, call);
      } catch (error) {
        // It was tried for as long as a verb may take; a feed is waited for.
        if (!(error instanceof BespeakError && error.isUnavailable)) throw error;
        await pause(FOLLOW_PAUSE_MS, call.signal);
      }
    }
  }
}
