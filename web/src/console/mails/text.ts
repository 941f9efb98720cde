// The texts of a mail while they are typed.
import type { MailText, MailTextView } from "~/api/schema";

export type MailKind = MailTextView["kind"];
export type Draft = Required<MailText>;
export type TextName = keyof Draft;

/** All kinds, by what they are about. */
export const KIND_GROUPS = {
  bookings: [
    "booking_confirmed",
    "booking_reminder",
    "booking_moved",
    "booking_cancelled",
    "payment_late",
    "payment_failed",
    "refunded",
  ],
  waitlists: ["waitlist_joined", "waitlist_offered", "waitlist_over"],
  waiting_rooms: ["turn_near"],
} as const satisfies Record<string, readonly MailKind[]>;
export const KINDS: readonly MailKind[] = Object.values(KIND_GROUPS).flat();
export const FIRST_KIND: MailKind = KIND_GROUPS.bookings[0];
export const TEXTS = ["subject", "introduction", "closing"] as const satisfies readonly TextName[];

export function draftOf(view: MailTextView): Draft {
  return {
    subject: view.text?.subject ?? "",
    introduction: view.text?.introduction ?? "",
    closing: view.text?.closing ?? "",
  };
}

/** The text with a placeholder put in at a place, and where the cursor stands then. */
export function inserted(text: string, name: string, from: number, to: number): [string, number] {
  const put = `{${name}}`;
  return [text.slice(0, from) + put + text.slice(to), from + put.length];
}

const REMINDERS_MAX = 3;
/** Mails whose introduction stands in place of our words. */
const INTRODUCED: readonly MailKind[] = ["booking_confirmed", "booking_reminder"];
/** Mails to who waits: there is no booking yet. */
const NOTICES: readonly MailKind[] = [...KIND_GROUPS.waitlists, ...KIND_GROUPS.waiting_rooms];

/** What is said of an introduction: whether our words follow it, and what they tell of. */
export function introductionHint(kind: MailKind): "instead" | "before" | "waits" {
  if (NOTICES.includes(kind)) return "waits";
  return INTRODUCED.includes(kind) ? "instead" : "before";
}

/** The hours as they stand in their fields; empty where there are fewer. */
export function shownHours(hours: readonly number[]): string[] {
  return Array.from({ length: REMINDERS_MAX }, (_, place) => String(hours[place] ?? ""));
}

export function hoursOf(fields: readonly string[]): number[] {
  return fields.filter((one) => one.trim() !== "").map(Number);
}
