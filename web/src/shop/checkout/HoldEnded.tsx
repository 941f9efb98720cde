// The end of a hold: what happened, and a link back to the seats.
import { useTranslation } from "react-i18next";
import { ButtonLink, Icon } from "~/design";
import type { HoldView } from "~/api/schema";
import { inWords, wordingOf } from "../wording";

export type End = "expired" | "released" | "returned";

/** The page with the same seats selected, if they are still free. */
export function againHref(hold: HoldView): string {
  const [first] = hold.lines;
  if (first === undefined) return "/";
  const units = hold.lines.flatMap((line) =>
    line.resource_id === first.resource_id && line.unit !== null ? [line.unit] : [],
  );
  const query = new URLSearchParams({ seats: units.join(",") });
  return `/shows/${first.resource_id}?${query}`;
}

type EndedProps = { end: End; hold: HoldView; href: string };

export function HoldEnded({ end, hold, href }: EndedProps) {
  const { t } = useTranslation("shop");
  const words = inWords(wordingOf(hold.lines));
  return (
    <div className="card checkout-ended" role="alert">
      <Icon name={end === "returned" ? "refund" : "clock"} size={40} />
      <p>{t(`ended.${end}_text`, words)}</p>
      <p className="checkout-ended-actions">
        <ButtonLink href={href}>{t("ended.again")}</ButtonLink>
        <ButtonLink href="/" kind="quiet">
          {t("ended.home")}
        </ButtonLink>
      </p>
    </div>
  );
}
