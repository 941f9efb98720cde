// The head of a team where it is met by its resource; its own page sells it.
import { useTranslation } from "react-i18next";
import type { Resource } from "~/api/schema";
import { ButtonLink } from "~/design";
import { teamHref } from "./choice";
import { TeamSummary } from "./TeamSummary";

export function TeamHeading({ resource }: { resource: Resource }) {
  const { t } = useTranslation("shop_appointments");
  return (
    <header className="appt-heading">
      <TeamSummary resource={resource} />
      <ButtonLink href={teamHref(resource.id)}>{t("to_times")}</ButtonLink>
    </header>
  );
}
