// The overview's points as chart series.
import type { Overview, Point } from "../types";

export type SeriesColumn = "held" | "confirmed" | "refused" | "cancelled";

export function counts(points: readonly Point[], column: SeriesColumn): number[] {
  return points.map((point) => point[column]);
}

/** In seconds since 1970. */
export function times(points: readonly Point[]): number[] {
  return points.map((point) => Date.parse(point.at) / 1000);
}

/** In minor units. */
export function revenue(points: readonly Point[], currency: string): number[] {
  return points.map((point) => point.revenue.find((one) => one.currency === currency)?.amount ?? 0);
}

/** The currency with the most revenue: the one to show first. */
export function mainCurrency(overview: Overview): string | null {
  const [first] = overview.revenue.toSorted((one, other) => other.amount - one.amount);
  return first?.currency ?? null;
}
