// The state of an event or a date as a badge.
import { useTranslation } from "react-i18next";
import type { Performance, Production } from "~/api/schema";
import { Badge } from "~/design";

const TONES = {
  on_sale: "good",
  not_yet: "accent",
  sold_out: "plain",
  closed: "warn",
  called_off: "bad",
  none: "plain",
} as const;

export function State({ of }: { of: Production["state"] | Performance["state"] }) {
  const { t } = useTranslation("programme");
  return <Badge tone={TONES[of]}>{t(`states.${of}`)}</Badge>;
}

/** Whether guests see a date. */
export function Published({ of: { published } }: { of: Pick<Performance, "published"> }) {
  const { t } = useTranslation("programme");
  return (
    <Badge tone={published ? "good" : "warn"}>{t(published ? "published" : "unpublished")}</Badge>
  );
}
