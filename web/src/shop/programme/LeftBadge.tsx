// How much is left, where that is worth a word.
import { useTranslation } from "react-i18next";
import { Badge } from "~/design";
import type { Left } from "./left";

export function LeftBadge({ left }: { left: Left }) {
  const { t } = useTranslation("shop_events");
  if (left === "plenty") return null;
  const tone = left === "few" ? "warn" : left === "called_off" ? "bad" : "plain";
  return <Badge tone={tone}>{t(`left.${left}`)}</Badge>;
}
