// A sale at the desk, in two steps: the places are held, then the money that was taken books them.
import { phoneOf } from "~/api/phone";
import type { BookingView, Contact, Line } from "~/api/schema";
import { api } from "../session";

export const METHODS = ["cash", "card_terminal", "transfer", "voucher"] as const;
export type Method = (typeof METHODS)[number];

export const FREE_REASONS = ["guest_list", "press", "staff", "sponsor", "other"] as const;
export type FreeReason = (typeof FREE_REASONS)[number];

/** Who buys, as it is typed. */
export type Buyer = { readonly email: string; readonly name: string; readonly phone: string };

export type Sale = {
  readonly lines: Line[];
  /** "free": for nothing, for the reason. "later": on the spot, where that is the rule. */
  readonly method: Method | "free" | "later";
  readonly reason: FreeReason;
  readonly buyer: Buyer;
  readonly locale: string;
};

/** What is sold of a resource. */
export type LineOf = Omit<Line, "resource_id">;

export function linesOf(resource: string, lines: readonly LineOf[]): Line[] {
  return lines.map((line) => ({ resource_id: resource, ...line }));
}

/** Who it is for; null where nothing is known of them. Nobody is given an address that they have not. */
export function contactOf(buyer: Buyer, locale: string): Contact | null {
  const said = {
    email: buyer.email.trim(),
    name: buyer.name.trim(),
    phone: phoneOf(buyer.phone) ?? buyer.phone.trim(),
  };
  const known = Object.entries(said).filter(([, text]) => text !== "");
  return known.length === 0 ? null : { ...Object.fromEntries(known), locale };
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
  const contact = contactOf(sale.buyer, sale.locale);
  const made = await api.POST("/v1/bookings", {
    key,
    body: {
      hold_id: hold.id,
      ...(contact !== null && { contact }),
      ...(isTaken && { provider: "desk", payment_token: sale.method }),
    },
  });
  // Money in somebody's hand is never pending.
  if (!("code" in made)) throw new Error("the payment is under way");
  return made;
}
