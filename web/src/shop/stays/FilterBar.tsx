// The filters: most price, kinds, amenities, order. Those that are left to choose have their counts.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SearchAnswer } from "~/api/schema";
import { Button, Field, Select } from "~/design";
import { number } from "~/i18n/format";
import { countOfFilters, NO_WISHES, RATINGS, SORTS, type Wishes } from "./filters";
import { AMENITIES, KINDS } from "./words";

type FilterProps = {
  wishes: Wishes;
  answer: SearchAnswer | undefined;
  onChange: (part: Partial<Wishes>) => void;
};

const FIRST = 8;

export function FilterBar({ wishes, answer, onChange }: FilterProps) {
  const { t } = useTranslation("shop_stays");
  const count = countOfFilters(wishes);
  const { price, currency, rating, kinds, amenities } = NO_WISHES;
  return (
    <div className="stays-filters">
      <div className="stays-filters-row">
        <PriceField key={wishes.price} {...{ wishes, answer, onChange }} />
        <Select
          label={t("sort")}
          value={wishes.sort}
          onChange={(event) =>
            onChange({ sort: SORTS.find((one) => one === event.target.value) ?? "distance" })
          }
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {t(`sorts.${sort}`)}
            </option>
          ))}
        </Select>
        <RatingField {...{ wishes, answer, onChange }} />
        {count > 0 && (
          <button
            type="button"
            className="stays-clear"
            onClick={() => onChange({ price, currency, rating, kinds, amenities })}
          >
            {t("clear")}
          </button>
        )}
      </div>
      <Chips
        label={t("kind")}
        all={KINDS}
        chosen={wishes.kinds}
        counts={answer?.facets.kinds}
        words={(kind) => t(`kinds.${kind}`)}
        onChange={(chosen) => onChange({ kinds: chosen })}
      />
      <Chips
        label={t("amenity")}
        all={AMENITIES}
        chosen={wishes.amenities}
        counts={answer?.facets.amenities}
        words={(one) => t(`amenities.${one}`)}
        onChange={(chosen) => onChange({ amenities: chosen })}
      />
      {wishes.amenities.length > 1 && (
        <label className="shop-check">
          <input
            type="checkbox"
            checked={wishes.match === "any"}
            onChange={(event) => onChange({ match: event.target.checked ? "any" : "all" })}
          />
          {t("any_amenity")}
        </label>
      )}
    </div>
  );
}

/** How many are so well rated, of what was found. */
function RatingField({ wishes, answer, onChange }: FilterProps) {
  const { t } = useTranslation("shop_stays");
  const counts = new Map(answer?.facets.ratings.map(({ value, count }) => [value, count]));
  return (
    <Select
      label={t("rated")}
      value={String(wishes.rating ?? "")}
      onChange={(event) =>
        onChange({ rating: RATINGS.find((one) => String(one) === event.target.value) ?? null })
      }
    >
      <option value="">{t("any_rating")}</option>
      {RATINGS.map((least) => (
        <option key={least} value={least}>
          {t("rated_least", { rating: number(least), count: counts.get(String(least)) ?? 0 })}
        </option>
      ))}
    </Select>
  );
}

/** The price is in the currency of what is shown. */
function PriceField({ wishes, answer, onChange }: FilterProps) {
  const { t } = useTranslation("shop_stays");
  const [typed, setTyped] = useState(wishes.price === null ? "" : String(wishes.price));
  const currency = wishes.currency || (answer?.items[0]?.price_per_night.currency ?? "");
  const apply = () => {
    const price = /^[1-9]\d{0,5}$/.test(typed) ? Number(typed) : null;
    if (price !== wishes.price) onChange({ price, currency: price === null ? "" : currency });
  };
  return (
    <form
      className="stays-price"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Field
        label={currency === "" ? t("price_most") : t("price_most_in", { currency })}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        disabled={currency === ""}
        value={typed}
        onChange={(event) => setTyped(event.target.value.replaceAll(/\D/g, ""))}
        onBlur={apply}
      />
    </form>
  );
}

type ChipsProps<Word extends string> = {
  label: string;
  all: readonly Word[];
  chosen: readonly Word[];
  counts: SearchAnswer["facets"]["kinds"] | undefined;
  words: (word: Word) => string;
  onChange: (chosen: readonly Word[]) => void;
};

function Chips<Word extends string>(props: ChipsProps<Word>) {
  const { t } = useTranslation("shop_stays");
  const [isWhole, showWhole] = useState(false);
  const { all, chosen, counts = [], onChange } = props;
  const countOf = new Map(counts.map(({ value, count }) => [value, count]));
  const left = all
    .filter((word) => chosen.includes(word) || countOf.has(word))
    .toSorted((one, other) => (countOf.get(other) ?? 0) - (countOf.get(one) ?? 0));
  const shown = isWhole ? left : left.filter((word, at) => at < FIRST || chosen.includes(word));
  // Until it is known what there is, its place is kept.
  if (left.length === 0 && props.counts !== undefined) return null;
  return (
    <div className="stays-chips" role="group" aria-label={props.label}>
      {shown.map((word) => (
        <button
          key={word}
          type="button"
          className="stays-chip"
          aria-pressed={chosen.includes(word)}
          onClick={() =>
            onChange(
              chosen.includes(word) ? chosen.filter((one) => one !== word) : [...chosen, word],
            )
          }
        >
          {props.words(word)}
          <span className="shop-quiet tabular"> {number(countOf.get(word) ?? 0)}</span>
        </button>
      ))}
      {left.length > shown.length && (
        <Button kind="bare" size="small" onClick={() => showWhole(true)}>
          {t("all_of_them")}
        </Button>
      )}
    </div>
  );
}
