// What the checkout says when the seats are not kept any more: what happened, and the way back to
// them.
import { useTranslation } from "react-i18next";
import { ButtonLink } from "~/design/Button";
import { Icon } from "~/design/Icon";
import type { HoldView } from "../types";

export type End = "expired" | "released" | "returned";

/** Where the same seats can be chosen again, if they are still free. */
export function againHref(hold: HoldView): string {
  const [first] = hold.lines;
  if (first === undefined) return "/";
  const units = hold.lines.flatMap((line) =>
    line.resource_id === first.resource_id && line.unit !== null ? [line.unit] : [],
  );
  const query = new URLSearchParams({ seats: units.join(",") });
  return `/shows/${first.resource_id}?${query}`;
}

export function Ended({ end, hold }: { end: End; hold: HoldView }) {
  const { t } = useTranslation("shop");
  return (
    <div className="card checkout-ended" role="alert">
      <Icon name={end === "returned" ? "refund" : "clock"} size={40} />
      <p>{t(`ended.${end}_text`)}</p>
      <p className="checkout-ended-actions">
        <ButtonLink href={againHref(hold)}>{t("ended.again")}</ButtonLink>
        <ButtonLink href="/" kind="quiet">
          {t("ended.home")}
        </ButtonLink>
      </p>
    </div>
  );
}
