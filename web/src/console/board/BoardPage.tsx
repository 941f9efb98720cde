// The day's work of a house: the chart of its rooms, who comes and goes, and how full it is.
import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { Button, Field, Icon, Loaded, Select, Skeleton } from "~/design";
import { Filters, PageHead, SearchField, useTableState } from "../parts";
import { dayAfter, isDay } from "../reports/days";
import { Charts } from "./Charts";
import { Guests } from "./Guests";
import { RoomChart } from "./RoomChart";
import { useBoard, useHouse, useHouses } from "./calls";
import "./board.css";

const DEFAULTS = { property: "", from: "", q: "" };
const STEP_DAYS = 7;

export default function BoardPage() {
  const { t, ready } = useTranslation(["board", "console"]);
  const [table, change] = useTableState(DEFAULTS);
  const houses = useHouses(useDeferredValue(table.q));
  if (!ready) return <Skeleton height="24rem" />;
  const found = houses.data?.items ?? [];
  const only = found.length === 1 && table.q === "" ? (found[0]?.id ?? "") : "";
  const property = table.property || only;
  return (
    <>
      <PageHead title={t("title")} lead={t("lead")} />
      <Filters>
        <SearchField
          label={t("search")}
          value={table.q}
          onChange={(q) => change({ q, property: "" })}
        />
        <Select
          label={t("house")}
          value={property}
          onChange={({ target }) => change({ property: target.value })}
        >
          <option value="">{t("choose")}</option>
          {property !== "" && !found.some(({ id }) => id === property) && <Chosen id={property} />}
          {found.map(({ id, name, city }) => (
            <option key={id} value={id}>
              {city ? `${name}, ${city}` : name}
            </option>
          ))}
        </Select>
      </Filters>
      {property === "" ? (
        <p className="console-quiet" role="status">
          {t(found.length === 0 ? "none" : "choose_text")}
        </p>
      ) : (
        <House
          key={property}
          id={property}
          from={isDay(table.from) ? table.from : ""}
          onDay={(from) => change({ property, from })}
        />
      )}
    </>
  );
}

/** The house of a link, which the search has not found. */
function Chosen({ id }: { id: string }) {
  const house = useHouse(id);
  return <option value={id}>{house.data?.name ?? "…"}</option>;
}

type HouseProps = { id: string; from: string; onDay: (day: string) => void };

function House({ id, from, onDay }: HouseProps) {
  const { t } = useTranslation("board");
  const board = useBoard(id, from);
  const first = board.data?.pages[0]?.from ?? from;
  return (
    <>
      <div className="board-days">
        <Button kind="quiet" disabled={!first} onClick={() => onDay(dayAfter(first, -STEP_DAYS))}>
          <Icon name="back" size={18} flip />
          <span className="visually-hidden">{t("week_before")}</span>
        </Button>
        <Field
          type="date"
          label={t("from")}
          value={first}
          onChange={({ target }) => isDay(target.value) && onDay(target.value)}
        />
        <Button kind="quiet" disabled={!first} onClick={() => onDay(dayAfter(first, STEP_DAYS))}>
          <Icon name="forward" size={18} flip />
          <span className="visually-hidden">{t("week_after")}</span>
        </Button>
      </div>
      <Loaded of={board} height="24rem">
        {({ pages }) => (
          <RoomChart
            key={first}
            property={id}
            listings={pages.flatMap(({ items }) => items)}
            more={board.hasNextPage ? () => void board.fetchNextPage() : null}
          />
        )}
      </Loaded>
      {first !== "" && <Guests id={id} day={first} />}
      {first !== "" && <Charts id={id} from={first} />}
    </>
  );
}
