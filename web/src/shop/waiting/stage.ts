// What the page of a waiting room is about at a moment: one of these, and no two.
import type { PlaceNow, WaitingRoomNow } from "~/api/schema";

export type Stage =
  | "before"
  | "draining"
  | "join"
  | "early"
  | "waiting"
  | "paused"
  | "sold_out"
  | "called"
  | "lost"
  | "inside";

type Room = Pick<WaitingRoomNow, "phase" | "draining">;

/** `turn` is null for who has not joined; `isInside` is who has a pass. */
export function stageOf(room: Room, turn: PlaceNow["turn"] | null, isInside: boolean): Stage {
  const { phase, draining } = room;
  if (isInside) return "inside";
  if (turn === null && draining) return "draining";
  if (turn === null) return phase === "before" ? "before" : "join";
  // Nobody comes in meanwhile, and the time of those who were called stands still.
  const isStanding = phase === "paused" || phase === "sold_out";
  if (isStanding && (turn === "waiting" || turn === "called")) return phase;
  return turn;
}
