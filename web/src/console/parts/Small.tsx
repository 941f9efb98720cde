// Small things that many pages show: a figure, how full something is, a state, a text to copy.
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "~/design/Button";
import { Badge } from "~/design/Feedback";
import { Icon, type IconName } from "~/design/Icon";
import { number } from "~/i18n/format";
import { wholeMoney } from "./sums";

/** A figure with its name; a short remark below. */
export function Figure(props: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  icon?: IconName;
  tone?: "good" | "bad";
}) {
  return (
    <div className="console-figure" data-tone={props.tone}>
      <dt>
        {props.icon && <Icon name={props.icon} size={18} />}
        {props.label}
      </dt>
      <dd>
        <span className="console-figure-value tabular">{props.value}</span>
        {props.note && <span className="console-figure-note">{props.note}</span>}
      </dd>
    </div>
  );
}

/** How full a show is: sold, held and blocked of all, in words and as a bar. */
export function Occupancy(props: {
  sold: number;
  held: number;
  blocked: number;
  total: number | null;
}) {
  const { sold, held, blocked, total } = props;
  const { t } = useTranslation("console");
  if (total === null || total === 0) {
    return <span className="tabular">{t("occupancy.sold", { count: sold })}</span>;
  }
  const share = (part: number) => ({ inlineSize: `${Math.min(100, (part / total) * 100)}%` });
  return (
    <div className="console-occupancy">
      <div className="console-occupancy-words tabular">
        <strong>{number(sold / total, { style: "percent" })}</strong>
        <span>{t("occupancy.of", { sold: number(sold), total: number(total) })}</span>
      </div>
      <div className="console-bar" aria-hidden="true">
        <span data-state="sold" style={share(sold)} />
        <span data-state="held" style={share(held)} />
        <span data-state="blocked" style={share(blocked)} />
      </div>
      {(held > 0 || blocked > 0) && (
        <span className="visually-hidden">{t("occupancy.also", { held, blocked })}</span>
      )}
    </div>
  );
}

/** Amounts of several currencies, the largest first, in whole units of each. */
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

const TONES = {
  confirmed: "good",
  cancelled: "plain",
  pending: "warn",
  authorized: "warn",
  captured: "good",
  failed: "bad",
  refunded: "plain",
  voided: "plain",
  valid: "accent",
  checked_in: "good",
  delivered: "good",
  open: "good",
  closed: "warn",
  called_off: "bad",
} as const;

/** A state in words, with its tone. */
export function StateBadge({ state }: { state: string }) {
  const { t, i18n } = useTranslation("console");
  const known = Object.entries(TONES).find(([name]) => name === state);
  const words = i18n.exists(`states.${state}`, { ns: "console" }) ? t(`states.${state}`) : state;
  return <Badge tone={known?.[1] ?? "plain"}>{words}</Badge>;
}

/** A text that is shown this once, or that people carry elsewhere, with a button that copies it. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation("console");
  const [done, setDone] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setDone(true),
      // Without the clipboard (no https, no permission) the text is selectable all the same.
      () => setDone(false),
    );
  };
  return (
    <div className="console-copy">
      <code dir="ltr" aria-label={label}>
        {text}
      </code>
      <Button kind="quiet" size="small" onClick={copy}>
        <Icon name={done ? "check" : "copy"} size={16} />
        {done ? t("copy.done") : t("copy.do")}
      </Button>
    </div>
  );
}

/** A link that downloads what a table shows. */
export function CsvLink({ href }: { href: string }) {
  const { t } = useTranslation("console");
  return (
    <a className="button" data-kind="quiet" href={href} download>
      <Icon name="download" size={18} />
      {t("table.csv")}
    </a>
  );
}
