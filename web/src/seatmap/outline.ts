// Outlines of sections, drawn as soft blocks behind the seats.
import type { Point } from "./plan";
import type { Room, RoomSection } from "./room";

const CORNER = 0.7;
/** Smaller differences between rows are joined by a slope. */
const STEP_SEATS = 1;

/** The outline of a section with rows: down the left ends, along the last row, and up the right ends,
 * with some margin. Null for sections of tables. */
export function outlineOf(room: Room, section: RoomSection): Path2D | null {
  const rows = section.banks.flatMap((number) => {
    const bank = room.banks[number];
    return bank?.kind === "row" ? [bank] : [];
  });
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return null;
  const left: Point[] = [];
  const right: Point[] = [];
  const margin = 0.8;
  const moved = (seat: number, along: number, back: number): Point => {
    const angle = room.turn[seat] ?? 0;
    return [
      (room.x[seat] ?? 0) + Math.cos(angle) * along * margin - Math.sin(angle) * back * margin,
      (room.y[seat] ?? 0) + Math.sin(angle) * along * margin + Math.cos(angle) * back * margin,
    ];
  };
  let before: readonly number[] = [];
  for (const row of rows) {
    const seats = seatsOf(row, room);
    const backs = [...(row === first ? [-1] : []), row === last ? 1 : 0.55];
    for (const [side, along] of [
      [left, -1],
      [right, 1],
    ] as const) {
      const end = seats.at(along < 0 ? 0 : -1) ?? row.start;
      const endBefore = before.at(along < 0 ? 0 : -1);
      if (endBefore !== undefined) {
        // A row of another length than the one before makes a step.
        const over = beyond(before, end, along, room);
        const under = beyond(seats, endBefore, along, room);
        const back = along < 0 ? over : over.toReversed();
        const front = along < 0 ? under.toReversed() : under;
        if (over.length > STEP_SEATS) side.push(...back.map((seat) => moved(seat, 0, 1)));
        if (under.length > STEP_SEATS) side.push(...front.map((seat) => moved(seat, 0, -1)));
      }
      for (const back of backs) side.push(moved(end, along, back));
    }
    before = seats;
  }
  const behind = seatsOf(last, room).map((seat) => moved(seat, 0, 1));
  const front = seatsOf(first, room)
    .map((seat) => moved(seat, 0, -1))
    .toReversed();
  return rounded([...left, ...behind, ...right.toReversed(), ...front]);
}

function rounded(points: readonly Point[]): Path2D {
  const path = new Path2D();
  points.forEach(([x, y], number) => {
    const [beforeX, beforeY] = points.at(number - 1) ?? [x, y];
    const [afterX, afterY] = points[(number + 1) % points.length] ?? [x, y];
    const near = Math.min(Math.hypot(x - beforeX, y - beforeY), Math.hypot(x - afterX, y - afterY));
    if (number === 0) path.moveTo((beforeX + x) / 2, (beforeY + y) / 2);
    path.arcTo(x, y, (x + afterX) / 2, (y + afterY) / 2, Math.min(CORNER, near / 2));
  });
  path.closePath();
  return path;
}

function beyond(seats: readonly number[], end: number, along: number, room: Room): number[] {
  const angle = room.turn[end] ?? 0;
  return seats.filter((seat) => {
    const dx = (room.x[seat] ?? 0) - (room.x[end] ?? 0);
    const dy = (room.y[seat] ?? 0) - (room.y[end] ?? 0);
    return (dx * Math.cos(angle) + dy * Math.sin(angle)) * along > 0.9;
  });
}

function seatsOf(bank: { start: number; stop: number }, room: Room): number[] {
  const seats = Array.from({ length: bank.stop - bank.start }, (_, place) => bank.start + place);
  const angle = room.turn[bank.start] ?? 0;
  const dx = (room.x[bank.stop - 1] ?? 0) - (room.x[bank.start] ?? 0);
  const dy = (room.y[bank.stop - 1] ?? 0) - (room.y[bank.start] ?? 0);
  return dx * Math.cos(angle) + dy * Math.sin(angle) >= 0 ? seats : seats.toReversed();
}
