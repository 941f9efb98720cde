// How much is left, where that is worth a word: the number where it is small.
import { useTranslation } from "react-i18next";
import { Badge } from "~/design";
import type { Left } from "./left";

export function LeftBadge({ left, free }: { left: Left; free: number }) {
  const { t } = useTranslation("shop_events");
  if (left === "plenty") return null;
  const tone = left === "few" ? "warn" : left === "called_off" ? "bad" : "plain";
  const words = left === "few" ? t("left.few", { count: free }) : t(`left.${left}`);
  return <Badge tone={tone}>{words}</Badge>;
}
