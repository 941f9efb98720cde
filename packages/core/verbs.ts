// The verbs that a shopper has too: holds, bookings and what one looks at before. Each carries out one
// call of the API.
import {
  ask,
  part,
  read,
  write,
  type ApiRequest,
  type CallOptions,
  type WriteOptions,
} from "./requests.ts";
import type {
  Availability,
  Booking,
  CancelBooking,
  Contact,
  Hold,
  HoldBooking,
  HoldList,
  Line,
  Payment,
  PaymentView,
  PendingView,
  PlaceHold,
  Quote,
  RefundQuote,
  Resource,
  ResourcePage,
} from "./schemas.ts";
import type { Answered, Transport } from "./transport.ts";

/** What a write answers; `replayed` if it was done by an earlier request with the same key. */
export type Written<Body> = Body & { readonly replayed: boolean };

/** What a wish to pay has come to. Without a booking the payment is under way; where it has an
 * `action_url`, the buyer goes there. */
export type Paid = {
  readonly payment: Payment | null;
  readonly booking: Booking | null;
  readonly replayed: boolean;
};

/** What is paid with, and how the buyer comes back. */
export type PayWith = {
  readonly token: string;
  readonly provider?: string;
  readonly return_url?: string;
  readonly contact?: Contact;
};

/** A part of what is available: between two times, for so many, of one unit. */
export type AvailabilityQuery = {
  readonly from?: string;
  readonly to?: string;
  readonly quantity?: number;
  readonly unit?: string;
};

/** The page of a list. */
export type PageQuery = { readonly after?: string; readonly limit?: number };

export class Verbs {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Places a hold on all the lines, or on none. */
  placeHold(body: PlaceHold, options: WriteOptions = {}): Promise<Written<Hold>> {
    return this.written("POST", "/v1/holds", body, options);
  }

  /** What a hold of these lines would cost now. */
  async quote(lines: readonly Line[], options: CallOptions = {}): Promise<Quote> {
    return this.answered(await this.transport.send(ask("/v1/quotes", { lines }), options));
  }

  /** Reads a hold. */
  getHold(holdId: string, options: CallOptions = {}): Promise<Hold> {
    return this.found(holdPath(holdId), {}, options);
  }

  /** What a hold was booked as, also where its payment came late. */
  bookingOfHold(holdId: string, options: CallOptions = {}): Promise<HoldBooking> {
    return this.found(`${holdPath(holdId)}/booking`, {}, options);
  }

  /** The first holds that are still good, those that end first at the front. */
  listHolds(
    query: { readonly owner?: string; readonly limit?: number } = {},
    options: CallOptions = {},
  ): Promise<HoldList> {
    return this.found("/v1/holds", query, options);
  }

  /** Lets a hold last so many seconds from now, within its cap. */
  extendHold(holdId: string, seconds: number, options: WriteOptions = {}): Promise<Written<Hold>> {
    return this.written("POST", `${holdPath(holdId)}/extend`, { seconds }, options, holdId);
  }

  /** Lets a hold go; its units are free at once. */
  releaseHold(holdId: string, options: WriteOptions = {}): Promise<Written<Hold>> {
    return this.written("DELETE", holdPath(holdId), undefined, options);
  }

  /** Makes a booking of a hold that costs nothing, or was paid. */
  confirmHold(
    holdId: string,
    more: { readonly contact?: Contact } = {},
    options: WriteOptions = {},
  ): Promise<Written<Booking>> {
    return this.written("POST", "/v1/bookings", { hold_id: holdId, ...more }, options, holdId);
  }

  /** Pays for a hold with what the token stands for, and books it. */
  async pay(holdId: string, payWith: PayWith, options: WriteOptions = {}): Promise<Paid> {
    const { token, ...more } = payWith;
    const body = { hold_id: holdId, payment_token: token, ...more };
    const { replayed, ...answer } = await this.written<Booking | PendingView>(
      "POST",
      "/v1/bookings",
      body,
      options,
      holdId,
    );
    const booking = "confirmed_at" in answer ? answer : null;
    return { payment: answer.payment, booking, replayed };
  }

  /** How far a payment has come. */
  getPayment(paymentId: string, options: CallOptions = {}): Promise<PaymentView> {
    return this.found(`/v1/payments/${part(paymentId, "payment_id")}`, {}, options);
  }

  /** Reads a booking. */
  getBooking(bookingId: string, options: CallOptions = {}): Promise<Booking> {
    return this.found(bookingPath(bookingId), {}, options);
  }

  /** Gives a booking back, or some lines of it; what is due of the money is on its way. */
  cancelBooking(
    bookingId: string,
    body: CancelBooking = {},
    options: WriteOptions = {},
  ): Promise<Written<Booking>> {
    return this.written("DELETE", bookingPath(bookingId), body, options);
  }

  /** What cancelling a booking, or some lines of it, would give back now. */
  async refundQuote(
    bookingId: string,
    lines?: readonly Line[],
    options: CallOptions = {},
  ): Promise<RefundQuote> {
    const asked = ask(`${bookingPath(bookingId)}/refund-quote`, { lines });
    return this.answered(await this.transport.send(asked, options));
  }

  /** Reads a resource. */
  getResource(resourceId: string, options: CallOptions = {}): Promise<Resource> {
    return this.found(resourcePath(resourceId), {}, options);
  }

  /** A page of resources. */
  listResources(
    query: PageQuery & { readonly kind?: string } = {},
    options: CallOptions = {},
  ): Promise<ResourcePage> {
    return this.found("/v1/resources", query, options);
  }

  /** What of a resource is taken; its `type` is that of the resource's plan. */
  availability(
    resourceId: string,
    query: AvailabilityQuery = {},
    options: CallOptions = {},
  ): Promise<Availability> {
    return this.found(`${resourcePath(resourceId)}/availability`, query, options);
  }

  /** A call that has no verb here, as those of a vertical. What is no GET goes under a key. */
  async call<Body>(
    method: string,
    path: string,
    body?: unknown,
    options: WriteOptions = {},
  ): Promise<Body> {
    const request = method === "GET" ? read(path) : write(method, path, body, options);
    return this.answered(await this.transport.send<Body>(request, options));
  }

  protected answered<Body>(answer: Answered<Body>): Body {
    return answer.body;
  }

  protected async found<Body>(
    path: string,
    query: Readonly<Record<string, string | number | undefined>>,
    options: CallOptions,
  ): Promise<Body> {
    return this.done(read(path, query), options);
  }

  protected async done<Body>(request: ApiRequest, options: CallOptions): Promise<Body> {
    return this.answered(await this.transport.send<Body>(request, options));
  }

  protected async written<Body>(
    method: string,
    path: string,
    body: unknown,
    options: WriteOptions,
    holdId?: string,
  ): Promise<Written<Body>> {
    const asked = write(method, path, body, options);
    const request = holdId === undefined ? asked : { ...asked, holdId };
    const answer = await this.transport.send<Body>(request, options);
    return { ...answer.body, replayed: answer.isReplayed };
  }
}

export function resourcePath(resourceId: string): string {
  return `/v1/resources/${part(resourceId, "resource_id")}`;
}

function holdPath(holdId: string): string {
  return `/v1/holds/${part(holdId, "hold_id")}`;
}

export function bookingPath(bookingId: string): string {
  return `/v1/bookings/${part(bookingId, "booking_id")}`;
}
