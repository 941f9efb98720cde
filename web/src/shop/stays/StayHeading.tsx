// The head of a listing where it is met by its resource; its own page sells it.
import { useTranslation } from "react-i18next";
import type { Resource } from "~/api/schema";
import { ButtonLink } from "~/design";
import StaySummary from "./StaySummary";

export default function StayHeading({ resource }: { resource: Resource }) {
  const { t } = useTranslation("shop_stays");
  return (
    <header className="stay-heading">
      <StaySummary resource={resource} />
      <ButtonLink href={`/stays/${resource.id}`}>{t("to_calendar")}</ButtonLink>
    </header>
  );
}
