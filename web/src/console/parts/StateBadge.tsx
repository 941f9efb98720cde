// A state as a badge, with its tone.
import { useTranslation } from "react-i18next";
import { Badge } from "~/design";

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
  unpublished: "warn",
} as const;

export function StateBadge({ state }: { state: string }) {
  const { t, i18n } = useTranslation("console");
  const known = Object.entries(TONES).find(([name]) => name === state);
  const words = i18n.exists(`states.${state}`, { ns: "console" }) ? t(`states.${state}`) : state;
  return <Badge tone={known?.[1] ?? "plain"}>{words}</Badge>;
}
