// To which rooms a stay can be moved, as far as the board shows: the server decides.
import type { BoardListing } from "~/api/schema";
import type { Stay } from "./lanes";

/** A stay that is to be moved to another room of its listing; `to` is empty until one is chosen. */
export type Moving = { readonly listing: BoardListing; readonly stay: Stay; readonly to: string };

/** A room, and what stands in the way of the stay there. */
export type Goal = { readonly room: string; readonly taken: "blocked" | "taken" | null };

/** Whether it is a booking of a named room that has others beside it. */
export function canMove(listing: BoardListing, stay: Stay): boolean {
  return (
    stay.kind === "booking" && typeof stay.room === "string" && (listing.rooms?.length ?? 0) > 1
  );
}

/** Whether these are some nights of a stay: a browser lets other dates be typed. */
export function isWithin(stay: Stay, { from, to }: { from: string; to: string }): boolean {
  return stay.from <= from && from < to && to <= stay.to;
}

/** The other rooms of the listing, in its order. */
export function goalsOf({ rooms, stays }: BoardListing, { room: own, from, to }: Stay): Goal[] {
  return (rooms ?? [])
    .filter((room) => room !== own)
    .map((room) => {
      const there = stays.filter((one) => one.room === room && one.from < to && one.to > from);
      if (there.length === 0) return { room, taken: null };
      return { room, taken: there.every(({ kind }) => kind === "block") ? "blocked" : "taken" };
    });
}
