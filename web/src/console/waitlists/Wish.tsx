// What a party would take, in a few lines.
import { useTranslation } from "react-i18next";
import type { WaitlistWish } from "~/api/schema";

const PLACES_SHOWN = 3;

type WishProps = { of: WaitlistWish; names: ReadonlyMap<string, string> };

export function Wish({ of: wish, names }: WishProps) {
  const { t } = useTranslation("waitlists");
  const facts = [
    t("wish.party", { count: wish.party }),
    ...(wish.party > 1 && wish.seating ? [t(`wish.${wish.seating}`)] : []),
    ...(wish.categories ?? []),
    ...(wish.price_max === undefined ? [] : [t("wish.has_price_max")]),
  ];
  const more = wish.places.length - PLACES_SHOWN;
  return (
    <div className="console-name">
      <span>{facts.join(" · ")}</span>
      {wish.places.slice(0, PLACES_SHOWN).map((place) => (
        <span key={`${place.resource_id} ${place.from} ${place.to}`} className="console-quiet">
          <bdi>{names.get(place.resource_id) ?? place.resource_id}</bdi>
          {place.from !== undefined && (
            <>
              {" "}
              <bdi>{[place.from, place.to].filter(Boolean).join(" – ")}</bdi>
            </>
          )}
        </span>
      ))}
      {more > 0 && <span className="console-quiet">{t("and_others", { count: more })}</span>}
    </div>
  );
}
