// API types of the console.
export type {
  HoldTimeAdvice as HoldAdvice,
  ImportReport,
  ListedBooking as BookingRow,
  Overview,
  Point,
  ResourceFigures as ShowRow,
  WaitingWork as WorkItem,
} from "~/api/schema";
