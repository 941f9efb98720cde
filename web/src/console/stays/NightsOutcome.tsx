// Which listings were changed, which were not, and why.
import { useTranslation } from "react-i18next";
import type { Listing } from "~/api/schema";
import { Note } from "~/design";
import { Refused } from "../programme/Refused";
import type { Outcome } from "./useNightsSaving";

type Props = { outcome: Outcome | null; listings: readonly Listing[] };

export function NightsOutcome({ outcome, listings }: Props) {
  const { t } = useTranslation("stays");
  if (outcome === null) return null;
  const name = (id: string) => listings.find((one) => one.id === id)?.name ?? id;
  return (
    <div role="status">
      {outcome.saved.length > 0 && (
        <Note>{t("nights.saved", { count: outcome.saved.length })}</Note>
      )}
      {outcome.refused.length > 0 && (
        <>
          <p>{t("nights.refused", { count: outcome.refused.length })}</p>
          <ul role="list" className="nights-refused">
            {outcome.refused.map(({ id, error }) => (
              <li key={id}>
                <strong>
                  <bdi>{name(id)}</bdi>
                </strong>
                <Refused error={error} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
