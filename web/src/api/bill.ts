// The lines of a quote as a bill, with equal ones combined.
import type { Quote } from "./schema";

export type BillLine = {
  readonly kind: Quote["lines"][number]["kind"];
  readonly label: string;
  readonly quantity: number;
  /** The number of names in the label. */
  readonly names: number;
  readonly amount: number;
  readonly included: boolean;
};

export function bill(lines: Quote["lines"]): BillLine[] {
  const found = new Map<string, BillLine & { labels: string[] }>();
  for (const line of lines) {
    // Absent fields have their default.
    const { quantity = 1, included = false } = line;
    const alike = line.kind === "unit" ? String(line.amount / Math.max(1, quantity)) : line.label;
    const key = `${line.kind} ${included} ${alike}`;
    const before = found.get(key);
    const labels = [...(before?.labels ?? [])];
    if (!labels.includes(line.label)) labels.push(line.label);
    found.set(key, {
      kind: line.kind,
      included,
      labels,
      label: labels.join(", "),
      names: labels.length,
      quantity: (before?.quantity ?? 0) + quantity,
      amount: (before?.amount ?? 0) + line.amount,
    });
  }
  return [...found.values()].map(({ labels: _labels, ...line }) => line);
}
