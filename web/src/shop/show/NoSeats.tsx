// What a page of seats says of what has none: the way to its own page where the shop has one; else that it is not
// booked here, and where there is a waitlist, that one can wait here.
import { useTranslation } from "react-i18next";
import type { Resource } from "~/api/schema";
import { ButtonLink, Note } from "~/design";
import { useVerticalOf } from "../verticals";
import { useWaitlist } from "../waitlist/useWaitlist";

export function NoSeats({ resource }: { resource: Resource }) {
  const { t } = useTranslation("shop");
  const vertical = useVerticalOf(resource.kind);
  const list = useWaitlist(resource.id);
  const line = { resource_id: resource.id, unit: null, quantity: null };
  const href = vertical?.againHref?.({ lines: [line] });
  if (href !== undefined) {
    return (
      <Note actions={<ButtonLink href={href}>{t("sale.to_own_page")}</ButtonLink>}>
        {t("sale.own_page")}
      </Note>
    );
  }
  return <Note>{t(list === undefined ? "sale.no_seats" : "sale.no_seats_waitlist")}</Note>;
}
