// The points of the overview as lines of a chart.
import type { Overview, Point } from "../types";

export type SeriesColumn = "held" | "confirmed" | "refused" | "cancelled";

/** One count of each point. */
export function counts(points: readonly Point[], column: SeriesColumn): number[] {
  return points.map((point) => point[column]);
}

/** When each point is, in seconds since 1970. */
export function times(points: readonly Point[]): number[] {
  return points.map((point) => Date.parse(point.at) / 1000);
}

/** The revenue of each point in one currency, in minor units. */
export function revenue(points: readonly Point[], currency: string): number[] {
  return points.map((point) => point.revenue.find((one) => one.currency === currency)?.amount ?? 0);
}

/** The currency with the most revenue: the one to show first. */
export function mainCurrency(overview: Overview): string | null {
  const [first] = overview.revenue.toSorted((one, other) => other.amount - one.amount);
  return first?.currency ?? null;
}
