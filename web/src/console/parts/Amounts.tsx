// Amounts of several currencies, the largest first, in whole units.
import { number } from "~/i18n/format";
import { wholeMoney } from "./sums";

export function Amounts(props: {
  of: readonly { readonly amount: number; readonly currency: string }[];
}) {
  const some = props.of.filter((one) => one.amount !== 0);
  if (some.length === 0) return <>{number(0)}</>;
  return (
    <span className="console-amounts" data-many={some.length > 1 || undefined}>
      {some
        .toSorted((one, other) => other.amount - one.amount)
        .map((one) => (
          <span key={one.currency}>{wholeMoney(one.amount, one.currency)}</span>
        ))}
    </span>
  );
}
