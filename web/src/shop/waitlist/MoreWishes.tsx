// More that a party may say: other dates that would do, the highest price, until when. Folded away, because
// most want just what they came for; other dates are read once it is open.
import { useQueries } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Resource } from "~/api/schema";
import { Field } from "~/design";
import { eventTime } from "~/i18n/format";
import { useShop } from "../session";
import type { Fault, MoreWish } from "./moreWishes";

type MoreWishesProps = {
  resource: Resource;
  /** The other dates of the list. */
  others: readonly string[];
  othersFit?: (other: Resource) => boolean;
  othersLegend: string;
  /** Fields for other dates of the same resource. */
  dates: ReactNode;
  more: MoreWish;
  faults: readonly Fault[];
  isOpenedByFault: boolean;
  onChange: (more: MoreWish) => void;
};

export function MoreWishes(props: MoreWishesProps) {
  const { resource, others, dates, more, faults, onChange } = props;
  const { t } = useTranslation("shop_waitlist");
  const [isOpen, setOpen] = useState(false);
  const { currency } = resource.price;
  const hasDates = others.length > 0 || dates !== undefined;
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <details
      className="waitlist-more"
      open={isOpen || faults.length > 0 || props.isOpenedByFault}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t(hasDates ? "more" : "more_price")}</summary>
      <div className="waitlist-fields">
        {dates}
        {isOpen && others.length > 0 && props.othersFit !== undefined && (
          <OtherDates
            ids={others}
            fits={props.othersFit}
            legend={props.othersLegend}
            chosen={more.others}
            onChange={(chosen) => onChange({ ...more, others: chosen })}
          />
        )}
        <Field
          label={t("price_max", { currency })}
          hint={t("price_max_hint")}
          error={faults.includes("price") ? t("price_wrong") : undefined}
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          value={more.price}
          onChange={({ target }) => onChange({ ...more, price: target.value })}
        />
        <Field
          label={t("until")}
          hint={t("until_hint", { zone })}
          error={faults.includes("until") ? t("until_wrong") : undefined}
          type="datetime-local"
          value={more.until}
          onChange={({ target }) => onChange({ ...more, until: target.value })}
        />
      </div>
    </details>
  );
}

type DatesProps = {
  ids: readonly string[];
  fits: (other: Resource) => boolean;
  legend: string;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
};

/** Those that are on sale and still to come, by their dates; they are tried in this order. */
function OtherDates({ ids, fits, legend, chosen, onChange }: DatesProps) {
  const { api, behindMs } = useShop();
  const found = useQueries({
    queries: ids.map((id) => ({
      queryKey: ["resource", id],
      queryFn: () => api.GET("/v1/resources/{resource_id}", { path: { resource_id: id } }),
    })),
  });
  const [opened] = useState(() => Date.now());
  const now = opened + behindMs;
  const dates = found
    .flatMap(({ data }) =>
      data?.state === "open" && startOf(data) > now && fits(data) ? [data] : [],
    )
    .toSorted((one, other) => startOf(one) - startOf(other));
  if (dates.length === 0) return null;
  const toggle = (id: string, is: boolean) =>
    onChange(
      dates.map((date) => date.id).filter((one) => (one === id ? is : chosen.includes(one))),
    );
  return (
    <fieldset className="waitlist-dates">
      <legend>{legend}</legend>
      {dates.map((date) => (
        <label key={date.id} className="shop-check">
          <input
            type="checkbox"
            checked={chosen.includes(date.id)}
            onChange={({ target }) => toggle(date.id, target.checked)}
          />
          <span>
            <bdi>{date.name}</bdi>
            {date.starts_at !== null && (
              <>, {eventTime(date.starts_at, undefined, date.time_zone)}</>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** When it starts; what does not say so comes last. */
function startOf({ starts_at: at }: Pick<Resource, "starts_at">): number {
  return at === null ? Number.MAX_SAFE_INTEGER : Date.parse(at);
}
