// API types as answers have them.
import type { Readable } from "openapi-typescript-helpers";
import type * as schema from "~/api/schema";

export type Resource = Readable<schema.Resource>;
export type HoldView = Readable<schema.HoldView>;
export type BookingView = Readable<schema.BookingView>;
export type PaymentView = Readable<schema.PaymentView>;
export type Quote = Readable<schema.Quote>;
export type Refund = Readable<schema.Refund>;
export type Ticket = Readable<schema.Ticket>;
