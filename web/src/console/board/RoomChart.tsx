// The rooms of a house as a table, night by night. Free nights of a row are chosen to be blocked.
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import type { BoardListing } from "~/api/schema";
import { Button } from "~/design";
import { number } from "~/i18n/format";
import { Panel } from "../parts";
import { BlockNights } from "./BlockNights";
import { shortDay, type Chosen } from "./days";
import { lanesOf } from "./lanes";
import type { Moving } from "./moves";
import { MoveStay } from "./MoveStay";
import { RoomRow } from "./RoomRow";

type ChartProps = {
  property: string;
  listings: readonly BoardListing[];
  more: (() => void) | null;
};

export function RoomChart({ property, listings, more }: ChartProps) {
  const { t } = useTranslation("board");
  const { t: ofConsole } = useTranslation("console");
  const [chosen, choose] = useState<Chosen | null>(null);
  const [dragged, drag] = useState<Moving | null>(null);
  const [moving, move] = useState<Moving | null>(null);
  const nights = listings[0]?.nights.map(({ date }) => date) ?? [];
  if (listings.length === 0) return <p className="console-quiet">{t("no_listings")}</p>;
  return (
    <Panel title={t("rooms")} lead={t("rooms_lead")}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard */}
      <div className="board-scroll" role="region" aria-label={t("rooms")} tabIndex={0}>
        <table className="board-table">
          <thead>
            <tr>
              <th scope="col">{t("room")}</th>
              {nights.map((night) => (
                <th key={night} scope="col">
                  {shortDay(night)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listings.map((listing) => (
              <Fragment key={listing.id}>
                <FreeRow listing={listing} />
                {rowsOf(listing, nights).map(({ id, ...row }) => (
                  <RoomRow
                    key={id}
                    {...row}
                    listing={listing}
                    nights={nights}
                    chosen={chosen}
                    onChoose={choose}
                    dragged={dragged}
                    onDrag={drag}
                    onMove={move}
                  />
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      {more && (
        <Button kind="quiet" onClick={more}>
          {ofConsole("table.more")}
        </Button>
      )}
      {moving && (
        <MoveStay
          moving={moving}
          onRoom={(to) => move({ ...moving, to })}
          onEnd={() => move(null)}
        />
      )}
      {chosen && <BlockNights property={property} chosen={chosen} onEnd={() => choose(null)} />}
    </Panel>
  );
}

/** How many rooms of a listing are free in each night. */
function FreeRow({ listing }: { listing: BoardListing }) {
  const { t } = useTranslation("board");
  return (
    <tr className="board-listing">
      <th scope="row">
        <bdi>{listing.name}</bdi>
      </th>
      {listing.nights.map(({ date, free, rooms, closed }) => (
        <td key={date} data-full={free === 0 || undefined}>
          <span aria-hidden="true">{closed ? "–" : number(free)}</span>
          <span className="visually-hidden">
            {closed ? t("closed") : t("free", { free: number(free), rooms: number(rooms) })}
          </span>
        </td>
      ))}
    </tr>
  );
}

/** One row for each exact room; of counted rooms a lane for each that is taken, and one to block. */
function rowsOf(listing: BoardListing, nights: readonly string[]) {
  const empty = nights.map((_, at) => ({ is: "night" as const, at }));
  if (listing.rooms === null) {
    const lanes = [...lanesOf(listing.stays, nights), empty];
    return lanes.map((cells, lane) => ({ id: `${listing.id} ${lane}`, room: null, lane, cells }));
  }
  return listing.rooms.map((room, lane) => {
    const own = listing.stays.filter((stay) => stay.room === room);
    return { id: `${listing.id} ${room}`, room, lane, cells: lanesOf(own, nights)[0] ?? empty };
  });
}
