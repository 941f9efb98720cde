// What became of a scan, in words: the latest large, those before it as a list.
import { useTranslation } from "react-i18next";
import { Icon, useProblemWords } from "~/design";
import { dateTime } from "~/i18n/format";
import type { Verdict } from "./gate";

const CLOCK: Intl.DateTimeFormatOptions = { timeStyle: "medium" };
const DAY_AND_CLOCK: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };
const REASONS = new Set([
  "already_checked_in",
  "ticket_cancelled",
  "wrong_resource",
  "ticket_code_invalid",
  "gate_without_keys",
]);

export function VerdictCard({ of }: { of: Verdict }) {
  const { title, text } = useVerdictWords(of);
  return (
    <div className="scanner-verdict" data-outcome={of.outcome}>
      <Icon name={of.outcome === "refused" ? "close" : "check"} size={40} />
      <strong>{title}</strong>
      {of.unit !== null && <span className="scanner-unit">{of.unit}</span>}
      {text !== "" && <span>{text}</span>}
    </div>
  );
}

export function VerdictList({ of }: { of: readonly Verdict[] }) {
  const { t } = useTranslation("console");
  if (of.length === 0) return null;
  return (
    <section aria-label={t("scanner.before")}>
      <h2 className="scanner-before">{t("scanner.before")}</h2>
      <ul role="list" className="scanner-list">
        {of.map((verdict) => (
          <VerdictRow key={`${verdict.id} ${verdict.isLate}`} of={verdict} />
        ))}
      </ul>
    </section>
  );
}

function VerdictRow({ of }: { of: Verdict }) {
  const { title, text } = useVerdictWords(of);
  return (
    <li data-outcome={of.outcome}>
      <time dateTime={of.at} className="tabular console-quiet">
        {dateTime(of.at, CLOCK)}
      </time>
      <strong>{title}</strong>
      <span>{[of.unit, text].filter(Boolean).join(" · ")}</span>
    </li>
  );
}

function useVerdictWords({ outcome, problem, isLate }: Verdict): { title: string; text: string } {
  const { t } = useTranslation("console");
  const words = useProblemWords();
  if (outcome === "in") return { title: t("scanner.in"), text: "" };
  if (outcome === "in_offline") {
    return { title: t("scanner.in"), text: t("scanner.in_offline") };
  }
  const code = problem?.code ?? "";
  const isKnown = REASONS.has(code);
  const title = isKnown ? t(`scanner.refused.${code}`) : t("scanner.refused.other");
  const texts = [
    isLate ? t("scanner.late") : "",
    isKnown ? usedWhere(t, problem?.data) : words(problem),
  ];
  return { title, text: texts.filter(Boolean).join(" ") };
}

/** When and where a ticket was used before, as far as that was told. */
function usedWhere(
  t: (key: string, values: Record<string, string>) => string,
  data: Readonly<Record<string, unknown>> = {},
): string {
  const { checked_in_at: at, gate } = data;
  if (typeof at !== "string") return "";
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  const time = dateTime(at, isToday ? CLOCK : DAY_AND_CLOCK);
  return typeof gate === "string"
    ? t("scanner.used_at_gate", { time, gate })
    : t("scanner.used_at", { time });
}
