// The search of stays: where, when, for how many, and what can be had. All that is asked for stands in the address.
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import type { NearlyFound, StayPlace } from "~/api/schema";
import { Button, EmptyState, ErrorNote, Note, useNow } from "~/design";
import { decimalsOf } from "~/i18n/currencies";
import { dateTime, money, number } from "~/i18n/format";
import { daysFrom } from "../days";
import { useShop } from "../session";
import { Page } from "../shell/Page";
import { inTime } from "./anyStay";
import { useMatches, useTowns } from "./catalog";
import { daysText } from "../nights";
import { countryName, distance } from "./facts";
import { FilterBar } from "./FilterBar";
import {
  countOfFilters,
  isSomewhere,
  NO_WISHES,
  searchOf,
  wishesNearly,
  wishesOf,
  type Wishes,
} from "./filters";
import { ListAndMap } from "./ListAndMap";
import { ListingCard } from "./ListingCard";
import { at } from "./PlaceBox";
import { SearchBar } from "./SearchBar";
import { StayPicture } from "./StayPicture";
import { KINDS } from "./words";
import "./stays.css";

const MINUTE_MS = 60_000;
const TOWNS_SHOWN = 12;
const TOWNS_WAITING = Array.from({ length: TOWNS_SHOWN }, (_, index) => index);
const WAITING = Array.from({ length: 6 }, (_, index) => index);

type Change = (part: Partial<Wishes>, options?: { replace: boolean }) => void;

export default function StaysPage() {
  const { t } = useTranslation("shop_stays");
  const { behindMs } = useShop();
  const [path, navigate] = useLocation();
  const said = wishesOf(useSearch());
  const now = useNow(MINUTE_MS) + behindMs;
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [today = ""] = daysFrom(here, new Date(now), 1);
  // A place without its position is looked up by its name.
  const isNamed = !isSomewhere(said) && said.place !== "";
  const towns = useTowns(isNamed ? said.place : null, 1);
  const town = isNamed ? towns?.[0] : undefined;
  const known = town === undefined ? said : { ...said, ...at(town) };
  const wishes = inTime(known, today);
  const change: Change = (part, options) => {
    const search = searchOf({ ...wishes, ...part });
    navigate(search === "" ? path : `${path}?${search}`, options);
  };
  return (
    <Page title={t("title")} className="stays-page">
      <SearchBar wishes={wishes} today={today} onChange={change} />
      {isSomewhere(wishes) ? (
        <Results wishes={wishes} onChange={change} />
      ) : (
        <>
          {isNamed && towns !== undefined && <Note>{t("no_town", { place: said.place })}</Note>}
          <Towns onChange={change} />
        </>
      )}
    </Page>
  );
}

/** Where one could go, while nothing is asked for. */
function Towns({ onChange }: { onChange: Change }) {
  const { t } = useTranslation("shop_stays");
  const towns = useTowns("", TOWNS_SHOWN);
  if (towns?.length === 0) {
    return (
      <EmptyState title={t("none_yet")}>
        <p>{t("none_yet_text")}</p>
      </EmptyState>
    );
  }
  return (
    <section aria-labelledby="stays-towns">
      <h2 id="stays-towns">{t("towns")}</h2>
      <ul role="list" className="stays-towns">
        {towns === undefined
          ? TOWNS_WAITING.map((place) => (
              <li key={place} aria-hidden="true">
                <div className="stays-town-wait skeleton" />
              </li>
            ))
          : towns.map((town, index) => (
              <li key={`${town.name} ${town.country}`}>
                <TownCard town={town} index={index} onChange={onChange} />
              </li>
            ))}
      </ul>
    </section>
  );
}

type TownProps = { town: StayPlace; index: number; onChange: Change };

function TownCard({ town, index, onChange }: TownProps) {
  const { t } = useTranslation("shop_stays");
  return (
    <button type="button" className="stays-town-card" onClick={() => onChange(at(town))}>
      <StayPicture kind={KINDS[index % KINDS.length] ?? "hotel"} of={town.name} />
      <strong>
        <bdi>{town.name}</bdi>
      </strong>
      <span className="shop-quiet">
        {[countryName(town.country), t("places", { count: town.listings })]
          .filter(Boolean)
          .join(" · ")}
      </span>
    </button>
  );
}

type ResultsProps = { wishes: Wishes; onChange: Change };

function Results({ wishes, onChange }: ResultsProps) {
  const { t } = useTranslation("shop_stays");
  const found = useMatches(wishes);
  const answer = found.data?.pages[0];
  const items = found.data?.pages.flatMap((page) => page.items);
  if (found.isError && items === undefined) {
    return <ErrorNote error={found.error} onRetry={() => void found.refetch()} />;
  }
  return (
    <ListAndMap wishes={wishes} isListHere={answer !== undefined} onChange={onChange}>
      <FilterBar wishes={wishes} answer={answer} onChange={onChange} />
      {answer?.stale && (
        <Note tone="warn">
          {t("stale", { when: dateTime(answer.as_of, { timeStyle: "short" }) })}
        </Note>
      )}
      <div role="status">
        <h2 className="stays-found">
          {answer === undefined ? t("searching") : t("found", { count: answer.found })}
        </h2>
        {answer?.more && <p className="shop-quiet">{t("found_nearest")}</p>}
      </div>
      {items?.length === 0 ? (
        <NothingFound wishes={wishes} onChange={onChange} />
      ) : (
        <ul role="list" className="stays-list" data-busy={found.isPlaceholderData || undefined}>
          {items === undefined
            ? WAITING.map((place) => (
                <li key={place} aria-hidden="true">
                  <div className="stays-card-wait skeleton" />
                </li>
              ))
            : items.map((one) => (
                <li key={one.id}>
                  <ListingCard found={one} wishes={wishes} />
                </li>
              ))}
        </ul>
      )}
      {answer !== undefined && (
        <Nearly nearly={answer.nearly} wishes={wishes} onChange={onChange} />
      )}
      {found.hasNextPage && (
        <p className="stays-more">
          <Button
            kind="quiet"
            busy={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {t("more")}
          </Button>
        </p>
      )}
    </ListAndMap>
  );
}

/** One thing changed, and how many are found then. */
function Nearly({ nearly, wishes, onChange }: NearlyProps) {
  const { t } = useTranslation("shop_stays");
  if (nearly.length === 0) return null;
  return (
    <section className="stays-nearly" aria-labelledby="stays-nearly">
      <h2 id="stays-nearly">{t("nearly")}</h2>
      <ul role="list">
        {nearly.map((one) => (
          <li key={`${one.kind} ${one.start ?? ""}`}>
            <Button kind="quiet" onClick={() => onChange(wishesNearly(one, wishes))}>
              <NearlyWords of={one} wishes={wishes} />
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

type NearlyProps = { nearly: readonly NearlyFound[]; wishes: Wishes; onChange: Change };

function NearlyWords({ of, wishes }: { of: NearlyFound; wishes: Wishes }) {
  const { t } = useTranslation("shop_stays");
  const price = wishesNearly(of, wishes).price ?? 0;
  const kind = of.kinds ? "any_kind" : of.nights ? "a_night_less" : of.kind;
  const said = t(`nearly_by.${kind}`, {
    days: of.start && of.end ? daysText(of.start, of.end) : "",
    count: of.rooms ?? 0,
    distance: distance(of.radius ?? 0),
    rating: number(of.rating_min ?? 0),
    price: money(price * 10 ** decimalsOf(wishes.currency || "EUR"), wishes.currency || "EUR"),
  });
  return (
    <>
      {said} <span className="shop-quiet">{t("found", { count: of.found })}</span>
    </>
  );
}

function NothingFound({ wishes, onChange }: { wishes: Wishes; onChange: Change }) {
  const { t } = useTranslation("shop_stays");
  const { price, currency, rating, kinds, amenities } = NO_WISHES;
  const hasFilters = countOfFilters(wishes) > 0;
  return (
    <EmptyState
      title={t("none")}
      actions={
        hasFilters && (
          <Button
            kind="quiet"
            onClick={() => onChange({ price, currency, rating, kinds, amenities })}
          >
            {t("clear")}
          </Button>
        )
      }
    >
      <p>{t(hasFilters ? "none_filtered" : "none_text")}</p>
    </EmptyState>
  );
}
