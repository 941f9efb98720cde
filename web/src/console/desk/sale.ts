// A sale at the desk, in two steps: the places are held, then the money that was taken books them.
import type { BookingView, Line } from "~/api/schema";
import { api } from "../session";

export const METHODS = ["cash", "card_terminal", "transfer", "voucher"] as const;
export type Method = (typeof METHODS)[number];

export const FREE_REASONS = ["guest_list", "press", "staff", "sponsor", "other"] as const;
export type FreeReason = (typeof FREE_REASONS)[number];

export type Sale = {
  readonly lines: Line[];
  /** "free": for nothing, for the reason. "later": on the spot, where that is the rule. */
  readonly method: Method | "free" | "later";
  readonly reason: FreeReason;
  readonly email: string;
  readonly name: string;
  readonly locale: string;
};

/** What is sold of a resource. */
export type LineOf = Omit<Line, "resource_id">;

export function linesOf(resource: string, lines: readonly LineOf[]): Line[] {
  return lines.map((line) => ({ resource_id: resource, ...line }));
}

/** Sells. A repeat with the same key finds what the one before did. The buyer is known by the sale:
 * somebody at a desk has no other name here, and the next one is somebody else. */
export async function sell(sale: Sale, key: string): Promise<BookingView> {
  const owner = `desk:${key}`;
  const hold = await api.POST("/v1/holds", { key, body: { owner, lines: sale.lines } });
  const isTaken = hold.amount.amount > 0 && sale.method !== "free" && sale.method !== "later";
  if (sale.method === "free" && hold.amount.amount > 0) {
    await api.POST("/v1/holds/{hold_id}/free-sale", {
      path: { hold_id: hold.id },
      body: { reason: sale.reason },
    });
  }
  const email = sale.email.trim();
  const name = sale.name.trim();
  const contact = { email, locale: sale.locale, ...(name !== "" && { name }) };
  const made = await api.POST("/v1/bookings", {
    key,
    body: {
      hold_id: hold.id,
      ...(email !== "" && { contact }),
      ...(isTaken && { provider: "desk", payment_token: sale.method }),
    },
  });
  // Money in somebody's hand is never pending.
  if (!("code" in made)) throw new Error("the payment is under way");
  return made;
}
