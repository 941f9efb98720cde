// A change of the dates of a stay at the desk, in two steps: the new nights of all of its rooms are held in place of the
// booking, then the money that was taken books them, which cancels the old one.
import { Problem } from "~/api/client";
import type { BookingView, CheckoutAnswer, Line, Money } from "~/api/schema";
import type { Method } from "../desk/sale";
import { api } from "../session";
import { isSame } from "./changeSums";

export type NewDates = {
  readonly booking: Pick<BookingView, "id" | "owner">;
  readonly lines: Line[];
  /** What the guest was told that they cost. */
  readonly price: Money;
  /** "later": on the spot, where that is the rule. */
  readonly method: Method | "later";
  /** What of the old booking goes along. */
  readonly answers: CheckoutAnswer[];
};

/** It was let go while it was under way: nothing is booked. */
export class ChangeLetGo extends Error {}

/** The new nights cost something else by now: nothing is booked, and nothing is held. */
export class PriceChanged extends Error {
  constructor(readonly price: Money) {
    super();
  }
}

/** The new dates were booked before, by a call whose answer was lost. */
export class BookedBefore extends Error {
  constructor(readonly bookingId: string) {
    super();
  }
}

const OVER = new Set(["hold_expired", "hold_released"]);

/** What is held on the way to a change, so that another wish lets go of it first: a booking is in one change at once. */
export class HeldChange {
  #hold: { id: string; asked: string } | null = null;
  /** How often it was let go: a wish that comes back is a new one, and one that is under way goes no further. */
  #rounds = 0;

  /** Changes. A repeat with the same key finds what the one before did. Throws ChangeLetGo, PriceChanged, BookedBefore,
   *  and the Problem of a refusal. */
  async carryOut(dates: NewDates, key: string): Promise<BookingView> {
    const { booking, lines, price } = dates;
    const asked = JSON.stringify(lines);
    const isAnother = this.#hold !== null && this.#hold.asked !== asked;
    const letting = isAnother ? this.letGo() : null;
    const round = this.#rounds;
    notBooked(await letting);
    if (round !== this.#rounds) throw new ChangeLetGo();
    const first = lines[0];
    const wish = `${key}/${round}/${first?.from ?? ""}/${first?.to ?? ""}`;
    const hold = await api.POST("/v1/holds", {
      key: wish,
      repeats: true,
      body: { owner: booking.owner, instead_of_booking: booking.id, lines, alternatives: 0 },
    });
    if (round !== this.#rounds) {
      notBooked(await release(hold.id));
      throw new ChangeLetGo();
    }
    this.#hold = { id: hold.id, asked };
    if (!isSame(hold.amount, price)) {
      notBooked(await this.letGo());
      throw new PriceChanged(hold.amount);
    }
    return await this.#book(hold.id, dates, wish);
  }

  async #book(holdId: string, dates: NewDates, wish: string): Promise<BookingView> {
    const { price, method, answers } = dates;
    const isTaken = price.amount > 0 && method !== "later";
    try {
      const made = await api.POST("/v1/bookings", {
        key: `${wish}/${method}`,
        repeats: true,
        body: {
          hold_id: holdId,
          // Its contact goes along by itself: the page may know it as it was a while ago.
          ...(answers.length > 0 && { answers }),
          ...(isTaken && { provider: "desk", payment_token: method }),
        },
      });
      // Money in somebody's hand is never pending.
      if (!("code" in made)) throw new Error("the payment is under way");
      this.#hold = null;
      return made;
    } catch (error) {
      notBooked(bookedBy(error));
      // The next try holds them anew.
      if (error instanceof Problem && OVER.has(error.code)) await this.letGo();
      throw error;
    }
  }

  /** Lets go of what is held, and of what is under way; the booking is as it was. Where the new dates are booked all the
   *  same, the id of that booking. */
  async letGo(): Promise<string | null> {
    const held = this.#hold;
    this.#hold = null;
    this.#rounds += 1;
    return held === null ? null : await release(held.id);
  }
}

async function release(id: string): Promise<string | null> {
  try {
    await api.DELETE("/v1/holds/{hold_id}", { path: { hold_id: id } });
    return null;
  } catch (error) {
    // Whatever else it is by now, it lapses by itself.
    if (!(error instanceof Problem)) throw error;
    return bookedBy(error);
  }
}

/** The booking that a hold is already, by the refusal that says so. */
function bookedBy(error: unknown): string | null {
  if (!(error instanceof Problem) || error.code !== "hold_confirmed") return null;
  const id = error.data["booking_id"];
  return typeof id === "string" ? id : null;
}

function notBooked(bookingId: string | null): void {
  if (bookingId !== null) throw new BookedBefore(bookingId);
}
