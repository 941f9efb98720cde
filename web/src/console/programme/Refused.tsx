// Why a call of the programme was refused, with what the answer names: the date that is in the way,
// how much is sold. Other refusals have the words of all pages.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Problem } from "~/api/client";
import { ErrorNote, Note } from "~/design";
import { dateTime } from "~/i18n/format";
import { SaveRefused } from "../saving/SaveRefused";

const KNOWN = [
  "hall_occupied",
  "performance_sold",
  "production_in_use",
  "currency_needed",
  "picture_invalid",
  "resource_not_ready",
  "payment_rule_needed",
  "plan_changed",
  "reference_taken",
];

/** `onAnew` loads what others have saved, in place of what was typed. */
type Props = { error: unknown; onAnew?: (() => void) | undefined };

export function Refused({ error, onAnew }: Props) {
  const { t } = useTranslation("programme");
  if (error === null) return null;
  if (!(error instanceof Problem)) return <SaveRefused error={error} onAnew={onAnew} />;
  const { code, data } = error;
  if (code === "invalid_request" || code === "invalid_id")
    return (
      <div role="alert">
        <Note tone="bad">{t("refused.invalid", { detail: error.message })}</Note>
      </div>
    );
  if (!KNOWN.includes(code)) return <ErrorNote error={error} />;
  const units = typeof data["units"] === "number" ? data["units"] : 0;
  const { performance_id: other, at } = data;
  return (
    <div role="alert">
      <Note tone="bad">
        <p>{t(`refused.${code}`, { count: units })}</p>
        {typeof at === "string" && <p>{dateTime(at)}</p>}
        {typeof other === "string" && (
          <Link href={`/console/programme/dates/${other}`}>{t("refused.open_other")}</Link>
        )}
      </Note>
    </div>
  );
}
