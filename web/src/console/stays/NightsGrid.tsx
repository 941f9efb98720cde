// Each night of each listing as it is now and as it will be, with how many rooms of it are taken.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BoardNight, Listing } from "~/api/schema";
import { Button, Icon } from "~/design";
import { money, number } from "~/i18n/format";
import { shortDay } from "../board/days";
import { nightsBetween, nightsOf } from "./nightRange";
import { DATED_NIGHTS_MAX, type SoldNight } from "./nightRules";
import { type NightsDraft, type Planned, SHUTS } from "./nightsDraft";
import { useNightsTaken } from "./calls";
import { STAY_MAX } from "./rules";

const DAYS = 28;
const ROWS_MAX = 50;

type Props = { property: string; planned: readonly Planned[]; draft: NightsDraft };

export function NightsGrid({ property, planned, draft }: Props) {
  const { t } = useTranslation("stays");
  const [begin, setBegin] = useState(0);
  const all = nightsOf(draft.from, draft.last, [], DATED_NIGHTS_MAX);
  const first = Math.min(begin, Math.floor(Math.max(all.length - 1, 0) / DAYS) * DAYS);
  const nights = all.slice(first, first + DAYS);
  const taken = useNightsTaken(property, planned.length > 0 ? (nights[0] ?? "") : "", DAYS);
  if (planned.length === 0) return <p className="console-quiet">{t("nights.nothing")}</p>;
  return (
    <>
      {all.length > DAYS && (
        <div className="board-days">
          <Button kind="quiet" disabled={first === 0} onClick={() => setBegin(first - DAYS)}>
            <Icon name="back" size={18} flip />
            <span className="visually-hidden">{t("nights.before")}</span>
          </Button>
          <span>
            {t("nights.shown", {
              from: shortDay(nights[0] ?? ""),
              to: shortDay(nights.at(-1) ?? ""),
            })}
          </span>
          <Button
            kind="quiet"
            disabled={first + DAYS >= all.length}
            onClick={() => setBegin(first + DAYS)}
          >
            <Icon name="forward" size={18} flip />
            <span className="visually-hidden">{t("nights.after")}</span>
          </Button>
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard */}
      <div className="board-scroll" role="region" aria-label={t("nights.preview")} tabIndex={0}>
        <table className="board-table">
          <thead>
            <tr>
              <th scope="col">{t("listing.one")}</th>
              {nights.map((night) => (
                <th key={night} scope="col">
                  {shortDay(night)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {planned.slice(0, ROWS_MAX).map((one) => (
              <Row key={one.listing.id} one={one} nights={nights} taken={taken.data} />
            ))}
          </tbody>
        </table>
      </div>
      {planned.length > ROWS_MAX && (
        <p className="console-quiet">{t("nights.more", { count: planned.length - ROWS_MAX })}</p>
      )}
    </>
  );
}

type Taken = ReadonlyMap<string, readonly BoardNight[]> | undefined;
type RowProps = { one: Planned; nights: readonly string[]; taken: Taken };

function Row({ one, nights, taken }: RowProps) {
  const { listing, before, after, changed } = one;
  const board = taken?.get(listing.id) ?? [];
  const start = board[0]?.date;
  return (
    <tr>
      <th scope="row">
        <bdi>{listing.name}</bdi>
      </th>
      {nights.map((night) => {
        const [now, then] = [before.get(night), after.get(night)];
        return (
          <td
            key={night}
            className="nights-cell"
            data-changed={changed.includes(night) || undefined}
          >
            {now && then && <Change listing={listing} now={now} then={then} />}
            {start && <TakenRooms of={board[nightsBetween(start, night)]} />}
          </td>
        );
      })}
    </tr>
  );
}

function TakenRooms({ of }: { of: BoardNight | undefined }) {
  const { t } = useTranslation("stays");
  if (of === undefined || of.taken === 0) return null;
  return <small>{t("nights.taken", { taken: number(of.taken), rooms: number(of.rooms) })}</small>;
}

type ChangeProps = { listing: Listing; now: SoldNight; then: SoldNight };

function Change({ listing, now, then }: ChangeProps) {
  const words = useRestrictions();
  const price = (sold: SoldNight) => money(sold.price, listing.price.currency);
  const [before, after] = [words(now), words(then)];
  return (
    <>
      <Replaced before={price(now)} after={price(then)} />
      {[...before.keys()].map((name) => (
        <Replaced key={name} before={before.get(name) ?? ""} after={after.get(name) ?? ""} />
      ))}
    </>
  );
}

/** What is so now struck through where it will be otherwise. */
function Replaced({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation("stays");
  if (before === after) return before === "" ? null : <span>{before}</span>;
  return (
    <>
      {before !== "" && (
        <del>
          <span className="visually-hidden">{t("nights.now")} </span>
          {before}
        </del>
      )}
      {after !== "" && (
        <ins>
          <span className="visually-hidden">{t("nights.then")} </span>
          {after}
        </ins>
      )}
    </>
  );
}

/** What restricts a night in words, by its name; empty where nothing does. */
function useRestrictions() {
  const { t } = useTranslation("stays");
  return (sold: SoldNight) => {
    const least = (nights: number, of: "min" | "min_through") =>
      nights > 1 ? t(`nights.cell.${of}`, { nights: number(nights) }) : "";
    const most = (nights: number, of: "max" | "max_through") =>
      nights < STAY_MAX ? t(`nights.cell.${of}`, { nights: number(nights) }) : "";
    return new Map<string, string>([
      ...SHUTS.map((name) => [name, sold[name] ? t(`nights.cell.${name}`) : ""] as const),
      ["min", least(sold.min_nights, "min")],
      ["max", most(sold.max_nights, "max")],
      ["min_through", least(sold.min_through, "min_through")],
      ["max_through", most(sold.max_through, "max_through")],
    ]);
  };
}
