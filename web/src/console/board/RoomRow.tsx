// A room, or a lane of counted rooms: its stays over the nights that they have, and nights to choose.
import { useTranslation } from "react-i18next";
import type { KeyboardEvent } from "react";
import { Link } from "wouter";
import type { BoardListing } from "~/api/schema";
import { Button, Icon } from "~/design";
import { ActButton } from "../parts";
import { api } from "../session";
import { BOARD } from "./calls";
import type { Cell, Stay } from "./lanes";
import { shortDay, type Chosen } from "./days";
import { canMove, type Moving } from "./moves";

type RowProps = {
  listing: BoardListing;
  room: string | null;
  lane: number;
  cells: readonly Cell[];
  nights: readonly string[];
  chosen: Chosen | null;
  onChoose: (chosen: Chosen) => void;
  /** The stay that is being dragged, of whatever listing. */
  dragged: Moving | null;
  onDrag: (dragged: Moving | null) => void;
  onMove: (moving: Moving) => void;
};

export function RoomRow(props: RowProps) {
  const { listing, room, lane, cells, nights, chosen, onChoose, dragged, onDrag, onMove } = props;
  const { t } = useTranslation("board");
  const name = room ?? t("lane", { number: lane + 1 });
  const isHere = chosen?.listing === listing.id && chosen.room === room;
  const firstFree = cells.find(({ is }) => is === "night")?.at;
  const pick = (night: string) => {
    const from = isHere && chosen.from === chosen.to && chosen.from < night ? chosen.from : night;
    onChoose({ listing: listing.id, room, from, to: night });
  };
  const isGoal =
    dragged !== null && dragged.listing.id === listing.id && dragged.stay.room !== room;
  return (
    <tr
      data-goal={isGoal || undefined}
      onDragOver={isGoal ? (event) => event.preventDefault() : undefined}
      onDrop={isGoal ? () => onMove({ ...dragged, to: room ?? "" }) : undefined}
    >
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      {cells.map((cell) => {
        const night = nights[cell.at] ?? "";
        if (cell.is === "stay") {
          return (
            <td key={night} colSpan={cell.span}>
              <Bar stay={cell.stay} listing={listing} onDrag={onDrag} onMove={onMove} />
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

type BarProps = Pick<RowProps, "listing" | "onDrag" | "onMove"> & { stay: Stay };

function Bar({ stay, listing, onDrag, onMove }: BarProps) {
  const { t } = useTranslation("board");
  const days = t("stay_days", { from: shortDay(stay.from), to: shortDay(stay.to) });
  const rooms = stay.rooms > 1 ? ` × ${stay.rooms}` : "";
  if (stay.kind === "block") {
    const lift = async (key: string) => {
      await api.DELETE("/v1/resources/{resource_id}/blocks/{block_id}", {
        path: { resource_id: listing.id, block_id: stay.id },
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
  const moving = canMove(listing, stay) ? { listing, stay, to: "" } : null;
  return (
    <div
      className="board-bar"
      data-kind={stay.kind}
      draggable={moving !== null}
      onDragStart={() => onDrag(moving)}
      onDragEnd={() => onDrag(null)}
    >
      {stay.kind === "hold" ? (
        <span>{words}</span>
      ) : (
        <Link href={`/console/bookings/${stay.id}`} title={`${who} ${days}`} draggable={false}>
          {words}
        </Link>
      )}
      {moving && (
        <Button
          kind="bare"
          size="small"
          aria-label={t("move", { guest: who })}
          onClick={() => onMove(moving)}
        >
          <Icon name="rooms" size={16} />
        </Button>
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
