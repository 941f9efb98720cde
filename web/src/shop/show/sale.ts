// The state of the sale, by the server's clock.
import type { Resource } from "~/api/schema";

export type Sale = "open" | "not_yet" | "over" | "closed";

type Times = Pick<Resource, "state" | "opens_at" | "closes_at" | "starts_at">;

/** When the sale to guests ends: once it has begun, unless the resource says another time. */
const endOf = ({ closes_at, starts_at }: Times) => closes_at ?? starts_at;

export function saleOf(resource: Times, now: number): Sale {
  if (resource.state !== "open") return "closed";
  const end = endOf(resource);
  if (end !== null && Date.parse(end) <= now) return "over";
  if (resource.opens_at !== null && Date.parse(resource.opens_at) > now) return "not_yet";
  return "open";
}

/** The next change of that state, in ms since 1970; null if there is none. */
export function saleChangesAt(resource: Times, now: number): number | null {
  const sale = saleOf(resource, now);
  if (sale === "not_yet" && resource.opens_at !== null) return Date.parse(resource.opens_at);
  const end = endOf(resource);
  if (sale === "open" && end !== null) return Date.parse(end);
  return null;
}
