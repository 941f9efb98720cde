// An appointment that its guest changes: one line of one team, with a service.
import type { BookingView, Line, Team, TeamService } from "~/api/schema";
import { leftLines } from "../bookings/leftLines";
import type { Choice } from "./choice";
import type { Own } from "./slots";

export type Booked = Own & {
  readonly teamId: string;
  readonly service: string;
  readonly quantity: number | null;
};

/** Null for what is no single appointment. */
export function bookedTime(booking: Pick<BookingView, "lines">): Booked | null {
  const [line, ...others] = leftLines(booking);
  if (line === undefined || others.length > 0 || line.unit === null) return null;
  const { from, to, rate, unit } = line;
  if (from === undefined || to === undefined || rate === undefined) return null;
  const quantity = line.quantity === null ? null : line.left;
  return { teamId: line.resource_id, service: rate, provider: unit, from, to, quantity };
}

/** How many places a line asks for; who takes one at a time is asked for no number. */
export function quantityOf(
  { places }: Pick<Choice, "places">,
  { capacity }: Pick<Team, "capacity">,
): number | null {
  return capacity > 1 ? places : null;
}

/** Of whom the price of a time is asked, where anyone may give it: it is the same whether they are free or not. */
export function pricedProvider(
  { providers }: Pick<TeamService, "providers">,
  { provider }: Pick<Choice, "provider">,
  own: Pick<Booked, "provider">,
): string {
  if (provider !== "") return provider;
  return providers.includes(own.provider) ? own.provider : (providers[0] ?? "");
}

/** The line of a hold for a service at a time, by a provider or, where none is said, by anyone. */
export function lineOf(
  teamId: string,
  service: string,
  provider: string,
  from: string,
  quantity: number | null = null,
): Line {
  return {
    resource_id: teamId,
    unit: provider === "" ? null : provider,
    quantity,
    from,
    rate: service,
  };
}
