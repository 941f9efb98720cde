// Why a booking is not given back for another, at the shop and at the desk.
import { Problem } from "~/api/client";

const WHY = new Set(["checked_in", "begun", "terms", "changed", "under_way"]);

/** The key of the reason, below `why`; null for an error that is about something else. */
export function whyNot(error: unknown): string | null {
  if (!(error instanceof Problem) || error.code !== "booking_not_exchangeable") return null;
  const reason = error.data["reason"];
  return typeof reason === "string" && WHY.has(reason) ? reason : "changed";
}
