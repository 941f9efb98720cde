// A room, or a lane of counted rooms: its stays over the nights that they have, and nights to choose.
import { useTranslation } from "react-i18next";
import type { KeyboardEvent } from "react";
import { Link } from "wouter";
import type { BoardListing } from "~/api/schema";
import { ActButton } from "../parts";
import { api } from "../session";
import { BOARD } from "./calls";
import type { Cell, Stay } from "./lanes";
import { shortDay, type Chosen } from "./days";

type RowProps = {
  listing: BoardListing;
  room: string | null;
  lane: number;
  cells: readonly Cell[];
  nights: readonly string[];
  chosen: Chosen | null;
  onChoose: (chosen: Chosen) => void;
};

export function RoomRow({ listing, room, lane, cells, nights, chosen, onChoose }: RowProps) {
  const { t } = useTranslation("board");
  const name = room ?? t("lane", { number: lane + 1 });
  const isHere = chosen?.listing === listing.id && chosen.room === room;
  const firstFree = cells.find(({ is }) => is === "night")?.at;
  const pick = (night: string) => {
    const from = isHere && chosen.from === chosen.to && chosen.from < night ? chosen.from : night;
    onChoose({ listing: listing.id, room, from, to: night });
  };
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      {cells.map((cell) => {
        const night = nights[cell.at] ?? "";
        if (cell.is === "stay") {
          return (
            <td key={night} colSpan={cell.span}>
              <Bar stay={cell.stay} listing={listing.id} />
            </td>
          );
        }
        const isIn = isHere && chosen.from <= night && night <= chosen.to;
        return (
          <td key={night}>
            {(listing.nights[cell.at]?.free ?? 0) > 0 && (
              <button
                type="button"
                className="board-night"
                aria-pressed={isIn}
                aria-label={`${name}, ${shortDay(night)}`}
                tabIndex={cell.at === firstFree ? 0 : -1}
                onKeyDown={step}
                onClick={() => pick(night)}
              />
            )}
          </td>
        );
      })}
    </tr>
  );
}

function Bar({ stay, listing }: { stay: Stay; listing: string }) {
  const { t } = useTranslation("board");
  const days = t("stay_days", { from: shortDay(stay.from), to: shortDay(stay.to) });
  const rooms = stay.rooms > 1 ? ` × ${stay.rooms}` : "";
  if (stay.kind === "block") {
    const lift = async (key: string) => {
      await api.DELETE("/v1/resources/{resource_id}/blocks/{block_id}", {
        path: { resource_id: listing, block_id: stay.id },
        key,
      });
      return t("lifted");
    };
    return (
      <div className="board-bar" data-kind="block">
        <ActButton
          size="small"
          label={`${stay.reason ?? ""}${rooms}`}
          title={t("lift")}
          verb={t("lift")}
          refetches={[BOARD]}
          act={lift}
        >
          <p>{t("lift_text", { reason: stay.reason ?? "" })}</p>
          <p className="console-quiet">{days}</p>
        </ActButton>
      </div>
    );
  }
  const who = stay.kind === "hold" ? t("hold") : (stay.guest ?? stay.code ?? "");
  const words = (
    <>
      <bdi>{who}</bdi>
      {rooms}
      <span className="visually-hidden">, {days}</span>
    </>
  );
  return (
    <div className="board-bar" data-kind={stay.kind}>
      {stay.kind === "hold" ? (
        <span>{words}</span>
      ) : (
        <Link href={`/console/bookings/${stay.id}`} title={`${who} ${days}`}>
          {words}
        </Link>
      )}
    </div>
  );
}

/** The arrow keys go from night to night of a row, whose first alone is a stop of the Tab key. */
function step(event: KeyboardEvent<HTMLButtonElement>) {
  if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
  const row = event.currentTarget.closest("tr");
  const all = [...(row?.querySelectorAll<HTMLButtonElement>(".board-night") ?? [])];
  const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
  const by = (event.key === "ArrowRight") === isRtl ? -1 : 1;
  all[all.indexOf(event.currentTarget) + by]?.focus();
  event.preventDefault();
}
