// What the console reads, under the names that its pages use.
export type {
  HoldTimeAdvice as HoldAdvice,
  ImportReport,
  ListedBooking as BookingRow,
  Overview,
  Point,
  ResourceFigures as ShowRow,
  WaitingWork as WorkItem,
} from "~/api/schema";

/** A page of a list. */
export type Listed<T> = { readonly items: readonly T[]; readonly next: string | null };
