// The kinds of productions.
import type { Production } from "~/api/schema";

export type ProductionKind = Production["kind"];

export const KINDS = [
  "concert",
  "theatre",
  "talk",
  "comedy",
  "dance",
  "party",
  "sport",
  "family",
  "other",
] as const satisfies readonly ProductionKind[];

export function isKind(text: string): text is ProductionKind {
  return KINDS.some((kind) => kind === text);
}
