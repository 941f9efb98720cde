// The nights with the price now, the suggested one and why; those that are ticked are applied.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SuggestedPrice, SuggestedPrices } from "~/api/schema";
import { Badge, Button } from "~/design";
import { money } from "~/i18n/format";
import { shortDay } from "../board/days";
import { Act, ActButton, type Column, DataTable, Panel } from "../parts";
import { api } from "../session";
import { STAYS } from "./calls";
import { isMovable } from "./priceRules";
import { PickUpDialog } from "./PickUpDialog";

const PAGE = 31;

export function PriceNights({ found }: { found: SuggestedPrices }) {
  const { t } = useTranslation("stays");
  const { listing_id: listing, rule } = found;
  const [count, setCount] = useState(PAGE);
  const items = found.items.slice(0, count);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const [shown, setShown] = useState("");
  const movable = items.filter(isMovable);
  const chosen = movable.filter(({ date }) => ticked.has(date));
  const tick = (dates: readonly string[], isTicked: boolean) =>
    setTicked((before) => {
      const after = new Set(before);
      for (const date of dates)
        if (isTicked) after.add(date);
        else after.delete(date);
      return after;
    });
  return (
    <Panel
      title={t("prices.nights")}
      lead={t("prices.nights_lead")}
      actions={
        <>
          <Button
            size="small"
            disabled={rule === null || chosen.length === 0}
            onClick={() => setAsking(true)}
          >
            {t("prices.apply", { count: chosen.length })}
          </Button>
          {found.items.some(({ applied }) => applied) && <TakeBack listing={listing} />}
        </>
      }
    >
      {rule === null && <p className="console-quiet">{t("prices.no_rule")}</p>}
      {movable.length > 0 && (
        <label className="console-tick">
          <input
            type="checkbox"
            checked={chosen.length === movable.length}
            onChange={({ target }) =>
              tick(
                movable.map(({ date }) => date),
                target.checked,
              )
            }
          />
          {t("prices.all", { count: movable.length })}
        </label>
      )}
      <DataTable
        label={t("prices.nights")}
        words="stays:prices.columns"
        rows={items}
        rowKey={({ date }) => date}
        columns={columns(found, ticked, tick, setShown, t)}
        empty={{ title: t("prices.none") }}
        more={
          count < found.items.length
            ? { busy: false, load: () => setCount((before) => before + PAGE) }
            : null
        }
      />
      <Act
        open={isAsking}
        title={t("prices.apply", { count: chosen.length })}
        verb={t("prices.apply_now")}
        refetches={STAYS}
        onClose={() => setAsking(false)}
        act={async (key) => {
          const { nights } = await api.POST("/v1/listings/{listing_id}/suggested-prices", {
            path: { listing_id: listing },
            key,
            body: { nights: chosen.map(({ date, now, price }) => ({ date, now, price })) },
          });
          setTicked(new Set());
          return t("prices.applied", { count: nights });
        }}
      >
        <p>{t("prices.apply_text")}</p>
      </Act>
      <PickUpDialog listing={listing} date={shown} onClose={() => setShown("")} />
    </Panel>
  );
}

function TakeBack({ listing }: { listing: string }) {
  const { t } = useTranslation("stays");
  return (
    <ActButton
      size="small"
      dangerous
      label={t("prices.take_back")}
      title={t("prices.take_back")}
      verb={t("prices.take_back")}
      refetches={STAYS}
      act={async () => {
        const { nights } = await api.DELETE("/v1/listings/{listing_id}/suggested-prices", {
          path: { listing_id: listing },
        });
        return t("prices.taken_back", { count: nights });
      }}
    >
      <p>{t("prices.take_back_text")}</p>
    </ActButton>
  );
}

type Words = ReturnType<typeof useTranslation<"stays">>["t"];

function columns(
  { currency }: SuggestedPrices,
  ticked: ReadonlySet<string>,
  tick: (dates: readonly string[], isTicked: boolean) => void,
  show: (date: string) => void,
  t: Words,
): Column<SuggestedPrice>[] {
  return [
    {
      key: "night",
      leads: true,
      cell: (night) =>
        isMovable(night) ? (
          <label className="console-tick stays-night">
            <input
              type="checkbox"
              checked={ticked.has(night.date)}
              onChange={({ target }) => tick([night.date], target.checked)}
            />
            {shortDay(night.date)}
          </label>
        ) : (
          <span className="stays-night">{shortDay(night.date)}</span>
        ),
    },
    {
      key: "now",
      numeric: true,
      cell: (night) => (
        <>
          {money(night.now, currency)}
          {night.applied && (
            <>
              {" "}
              <Badge>{t("prices.is_applied")}</Badge>
            </>
          )}
        </>
      ),
    },
    {
      key: "price",
      numeric: true,
      cell: ({ price }) => (price === null ? "–" : money(price, currency)),
    },
    { key: "reason", cell: (night) => <Reason night={night} /> },
    {
      key: "curve",
      cell: ({ date, comparable }) =>
        comparable > 0 && (
          <Button
            kind="quiet"
            size="small"
            className="stays-night"
            aria-label={t("prices.curve.show", { date: shortDay(date) })}
            onClick={() => show(date)}
          >
            {t("prices.curve.short")}
          </Button>
        ),
    },
  ];
}

function Reason({ night }: { night: SuggestedPrice }) {
  const { t } = useTranslation("stays");
  const { reason, booked, rooms, expected, bounds, comparable } = night;
  return (
    <span className="stays-reason">
      <strong>{t(`prices.reason.${reason}`)}</strong>
      {expected !== null && (
        <span>{t("prices.compared", { booked, rooms, expected, nights: comparable })}</span>
      )}
      {bounds.map((bound) => (
        <span key={bound}>{t(`prices.bound.${bound}`)}</span>
      ))}
    </span>
  );
}
