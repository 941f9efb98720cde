// Whether a resource can be bought now, by the server's clock.
import type { Resource } from "../types";

export type Sale = "open" | "not_yet" | "over" | "closed";

type Times = Pick<Resource, "state" | "opens_at" | "closes_at">;

/** How the sale stands: not begun, open, over by its time, or closed by its operator. */
export function saleOf(resource: Times, now: number): Sale {
  if (resource.state !== "open") return "closed";
  if (resource.closes_at !== null && Date.parse(resource.closes_at) <= now) return "over";
  if (resource.opens_at !== null && Date.parse(resource.opens_at) > now) return "not_yet";
  return "open";
}

/** When that changes by itself next, ms since 1970; null where it does not. */
export function saleChangesAt(resource: Times, now: number): number | null {
  const sale = saleOf(resource, now);
  if (sale === "not_yet" && resource.opens_at !== null) return Date.parse(resource.opens_at);
  if (sale === "open" && resource.closes_at !== null) return Date.parse(resource.closes_at);
  return null;
}
