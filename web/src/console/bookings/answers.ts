// The answers of a booking: how they are read, and which of them another booking of the same listings takes over.
import type { BookingAnswers, BookingView, CheckoutAnswer, Line, Resource } from "~/api/schema";
import { answersOf, askedFields, ticketsOf, typedOf } from "~/questions/asked";
import { api } from "../session";

type Booked = Pick<BookingView, "id">;

export const answersKey = ({ id }: Booked) => ["booking", id, "answers"];
export const readAnswers = ({ id }: Booked): Promise<BookingAnswers> =>
  api.GET("/v1/bookings/{booking_id}/answers", { path: { booking_id: id } });

type Kept = {
  readonly kept: CheckoutAnswer[];
  /** Whether nothing is left behind of what is left of the booking. */
  readonly isAll: boolean;
};

/** What was answered of a booking, as the answers of a hold of these lines, which are what is left of it in the same
 *  order: its tickets are numbered anew. What is not asked any more, or is none of the choices, is left out. */
export function keptAnswers(
  booking: Pick<BookingView, "lines">,
  lines: readonly Line[],
  asking: readonly Pick<Resource, "id" | "questions">[],
  answers: readonly CheckoutAnswer[],
): Kept {
  const typed = typedOf(answers);
  const before = askedFields(booking.lines, asking);
  const fields = askedFields(lines, asking);
  const said = fields.map(({ key }, at) => [key, typed[before[at]?.key ?? ""] ?? ""] as const);
  const kept = answersOf(fields, Object.fromEntries(said));
  const left = new Set(lines.map(({ resource_id: id }) => id));
  const tickets = new Set(ticketsOf(booking.lines).map(({ ticket }) => ticket));
  const standing = answers.filter(
    ({ resource_id: id, ticket = null }) =>
      left.has(id) && (ticket === null || tickets.has(ticket)),
  );
  return { kept, isAll: kept.length === standing.length };
}
