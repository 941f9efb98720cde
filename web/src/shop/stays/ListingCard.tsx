// One listing among what was found: what it is, for how many, how far away, and what it costs.
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { FoundListing } from "~/api/schema";
import { Badge } from "~/design";
import { money, number } from "~/i18n/format";
import { daysText } from "../nights";
import { bedWords, distance } from "./facts";
import { listingHref, type Wishes } from "./filters";
import { FirstPicture } from "./FirstPicture";
import { Rating } from "./Rating";

const AMENITIES_SHOWN = 4;
const FEW = 2;
const NEAR_METRES = 50;
/** Kinds of which a listing is a type of room; of the others there is one of each anyway. */
const HAVE_ROOMS = new Set<string>(["hotel", "guesthouse", "hostel"]);

export function ListingCard({ found, wishes }: { found: FoundListing; wishes: Wishes }) {
  const { t } = useTranslation("shop_stays");
  const house = found.property;
  // With flexible dates, or a month, each has its own.
  const { start, end } = { start: found.start ?? "", end: found.end ?? "" };
  // Without any, it was found for the question before.
  const isAsked = wishes.start !== "" || wishes.month !== "";
  const isMoved = start !== "" && isAsked && start !== wishes.start;
  return (
    <article className="stays-card">
      <FirstPicture picture={found.picture} kind={house.kind} of={found.id} />
      <div className="stays-card-words">
        <p className="stays-over">
          {t(`kinds.${house.kind}`)}
          {house.stars !== null && (
            <span role="img" aria-label={t("stars", { count: house.stars })}>
              {" "}
              {"★".repeat(house.stars)}
            </span>
          )}
          {/* The middle of a map is no place that one wants to be near. */}
          {wishes.box === "" && ` · ${distanceWords(t, found.distance_metres)}`}
        </p>
        <h3>
          <Link
            href={listingHref(found.id, { ...wishes, start, end, rate: found.rate ?? "" })}
            className="stays-card-link"
          >
            <bdi>{found.name}</bdi>
          </Link>
        </h3>
        <p>
          <bdi>{house.name}</bdi>
        </p>
        <Rating of={house} />
        <p className="shop-quiet">
          {[t("for_guests", { count: found.guests }), bedWords(t, found.beds)]
            .filter(Boolean)
            .join(" · ")}
        </p>
        {isMoved && <p className="stays-moved">{daysText(start, end)}</p>}
        <p className="shop-quiet">
          {found.amenities
            .slice(0, AMENITIES_SHOWN)
            .map((one) => t(`amenities.${one}`))
            .join(" · ")}
        </p>
      </div>
      <Price found={found} />
    </article>
  );
}

function distanceWords(t: TFunction<"shop_stays">, metres: number): string {
  return metres < NEAR_METRES ? t("central") : t("away", { distance: distance(metres) });
}

function Price({ found }: { found: FoundListing }) {
  const { t } = useTranslation("shop_stays");
  const { price_per_night: night, price, nights, free, rooms, property } = found;
  const isFew = typeof free === "number" && free - rooms < FEW && HAVE_ROOMS.has(property.kind);
  return (
    <div className="stays-card-price">
      <p>
        <strong className="tabular">{money(night.amount, night.currency)}</strong>{" "}
        <span className="shop-quiet">{t("a_night")}</span>
      </p>
      {price && nights && (
        <p className="shop-quiet tabular">
          {t("in_all", { price: money(price.amount, price.currency) })}
          {" · "}
          {t("nights", { count: nights })}
          {rooms > 1 && ` · ${t("rooms", { count: rooms })}`}
        </p>
      )}
      {isFew && <Badge tone="warn">{t("left", { left: number(free) })}</Badge>}
    </div>
  );
}
