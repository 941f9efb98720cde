// A room as small as a stamp, drawn of its plan.
import { useMemo } from "react";
import { STAGE_DEFAULTS, type SeatsPlan, type Stage } from "~/seatmap/plan";
import { makeRoom, type Room } from "~/seatmap/room";
import "./editor-rooms.css";

export function RoomPicture({ plan }: { plan: SeatsPlan }) {
  const room = useMemo(() => makeRoom(plan), [plan]);
  return <Thumbnail room={room} stage={plan.stage} />;
}

const DOTS_MAX = 700;

/** A room as small as a stamp: some of its seats as dots. */
export function Thumbnail({ room, stage }: { room: Room; stage: Stage | null | undefined }) {
  const { left, top, right, bottom } = room.box;
  const every = Math.max(1, Math.ceil(room.units.length / DOTS_MAX));
  const reach = 0.36 * Math.sqrt(every);
  const { x, y, width, height } = { ...STAGE_DEFAULTS, ...stage };
  return (
    <svg
      className="rooms-thumbnail"
      viewBox={`${left} ${top} ${right - left} ${bottom - top}`}
      aria-hidden="true"
    >
      {stage && (
        <rect
          className="rooms-stage"
          x={x - width / 2}
          y={y - height / 2}
          width={width}
          height={height}
        />
      )}
      {room.pools.map((pool) => (
        <polygon key={pool.unit} className="rooms-pool" points={pool.outline.join(" ")} />
      ))}
      {room.units.map(
        (unit, at) =>
          at % every === 0 && (
            <circle
              key={unit}
              cx={room.x[at]}
              cy={room.y[at]}
              r={reach}
              fill={room.categories[room.category[at] ?? 0]?.color ?? "currentColor"}
            />
          ),
      )}
    </svg>
  );
}
