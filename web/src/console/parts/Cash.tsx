// An amount, or a dash where there is none.
import { money } from "~/i18n/format";

type Amount = { readonly amount: number; readonly currency: string };

export function Cash({ of }: { of: Amount | null | undefined }) {
  return <>{of ? money(of.amount, of.currency) : "–"}</>;
}
