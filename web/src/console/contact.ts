// Who a booking is for, in words: by the name, or by what else is known of them.
import type { Contact } from "~/api/schema";

/** Null of one of whom nothing is known. */
export function calledBy(contact: Contact | null | undefined): string | null {
  return contact?.name ?? contact?.email ?? inOrder(contact?.phone);
}

/** What else there is to reach them by, in one line; "" where there is nothing else. */
export function reachedBy(contact: Contact | null | undefined): string {
  const { name, email, phone } = contact ?? {};
  return [name ? email : null, name || email ? inOrder(phone) : null].filter(Boolean).join(" · ");
}

/** A number keeps its order among words that are written from the right. */
function inOrder(phone: string | null | undefined): string | null {
  return phone ? `\u2066${phone}\u2069` : null;
}
