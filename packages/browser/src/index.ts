// @bespeak/browser: Bespeak in a page.
export { AvailabilityStore, type AvailabilityStatus } from "./availability.ts";
export { Client, type Challenge, type ClientOptions } from "./client.ts";
export { atServerTime, behindBy, secondsLeft, ServerClock } from "./clock.ts";
export { HoldStore, type HoldEnd, type HoldStatus, type HoldWish } from "./hold.ts";
export { LiveStore, type LiveStatus } from "./live.ts";
export type * from "./seatmap.ts";
export { Store, type Readable } from "./store.ts";
export type { SuppliedToken, TokenSupplier } from "./tokens.ts";
export { isUnanswered, WishKeys } from "./wishes.ts";
export {
  followLive,
  type LiveChange,
  type LiveListener,
  type LiveSnapshot,
  type LiveSource,
  type LiveState,
  type TakenState,
} from "../../core/live.ts";
export { CHALLENGE_HEADER, Transport, type Access, type Answered } from "../../core/transport.ts";
export * from "../../core/public.ts";
