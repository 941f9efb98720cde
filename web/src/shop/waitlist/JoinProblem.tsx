// Why one could not join. Where the range of a place can never come, it says which place.
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import type { WantedPlace } from "~/api/schema";
import { ErrorNote, Note } from "~/design";
import { comma } from "~/i18n/format";
import { rangeWords } from "../rangeWords";
import { useResource } from "../useResource";

type ProblemProps = { error: unknown; places: readonly WantedPlace[] };

export function JoinProblem({ error, places }: ProblemProps) {
  const place = places[neverSold(error)];
  if (place === undefined) return <ErrorNote error={error} />;
  return <NeverSold place={place} />;
}

const PLACE = /^wish\.places\[(\d+)\]\.(?:from|to)$/;

/** The index of the place whose range is refused; -1 for another problem. */
export function neverSold(error: unknown): number {
  if (!(error instanceof Problem)) return -1;
  const { code, data } = error;
  if (code !== "not_on_sale" && code !== "invalid_request") return -1;
  const [, index] = PLACE.exec(String(data["field"])) ?? [];
  return index === undefined ? -1 : Number(index);
}

function NeverSold({ place }: { place: WantedPlace }) {
  const { t } = useTranslation("shop_waitlist");
  const { data: of } = useResource(place.resource_id);
  const what =
    of === undefined ? "" : [of.name, rangeWords(of, place.from, place.to)].join(comma());
  return (
    <div role="alert">
      <Note tone="bad">{t("never", { what })}</Note>
    </div>
  );
}
