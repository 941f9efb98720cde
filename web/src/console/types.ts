// API types of the console.
export type {
  AddressAtStep,
  BudgetSteps,
  HoldTimeAdvice as HoldAdvice,
  Overview,
  Point,
  ResourceFigures as ShowRow,
  WaitingWork as WorkItem,
} from "~/api/internal";
export type { ImportReport, ListedBooking as BookingRow } from "~/api/schema";
