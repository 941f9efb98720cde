// Where a visitor stands, from the one answer that all get and the place that was asked for once. The
// front of the queue tells the rest: keys are texts that compare as they stand.
import type { PlaceNow, WaitingRoomNow } from "~/api/schema";

export type Standing = {
  readonly turn: PlaceNow["turn"];
  /** From one on; null while there is none. */
  readonly place: number | null;
  readonly ahead: number | null;
  /** The range in which the turn comes at the speed of the last minute; null: not known. */
  readonly minutes: readonly [number, number] | null;
  readonly called: number;
};

type Room = Pick<WaitingRoomNow, "phase" | "queues">;
const OPENED: ReadonlySet<string> = new Set(["open", "paused", "sold_out"]);

export function hasOpened({ phase }: Pick<WaitingRoomNow, "phase">): boolean {
  return OPENED.has(phase);
}

export function standingOf(room: Room, place: PlaceNow): Standing {
  const queue = room.queues.find(({ name }) => name === place.queue);
  const key = place.place_key;
  const called = queue?.called ?? 0;
  const ahead = place.place === null ? null : Math.max(0, place.place - 1 - called);
  const told = { place: place.place, ahead, called };
  if (!hasOpened(room) || key === null || queue === undefined) {
    return { ...told, turn: "early", minutes: null };
  }
  if (key >= queue.front) {
    return { ...told, turn: "waiting", minutes: minutesOf(ahead, queue.a_minute) };
  }
  return { ...told, turn: key < queue.lost_before ? "lost" : "called", minutes: null };
}

/** From a half more to a third less speed than in the last minute, as the server tells it. */
export function minutesOf(ahead: number | null, aMinute: number): readonly [number, number] | null {
  if (ahead === null) return null;
  if (ahead === 0) return [0, 1];
  if (aMinute === 0) return null;
  return [Math.floor((ahead * 2) / (aMinute * 3)), Math.ceil((ahead * 3) / (aMinute * 2))];
}

/** Whether the place has to be asked for again: once the draw is made, when the front has come past,
 * whenever half of those ahead have gone, so that the chance that is told stays true, and while one is
 * the next: who asks is counted again, if the count of them was lost. */
export function isPlaceOld(room: Room, place: PlaceNow): boolean {
  if (!hasOpened(room)) return false;
  if (place.place_key === null) return true;
  const now = standingOf(room, place);
  if (now.turn === "waiting" && now.ahead === 0 && room.phase === "open") return true;
  return now.turn !== place.turn || (now.ahead ?? 0) * 2 < (place.ahead ?? 0);
}

const HIDDEN_TIMES = 5;
const CALLED_LOOKS = 4;

/** After how many ms it is looked again. `spread`, from 0 to 1 and one for each visitor, keeps a crowd
 * from asking in step. A hidden page looks less often, and still some times within the grace. */
export function lookAfterMs(
  room: Pick<WaitingRoomNow, "poll_seconds" | "grace_seconds">,
  isHidden: boolean,
  spread: number,
): number {
  const { poll_seconds: poll, grace_seconds: grace } = room;
  const seconds = isHidden
    ? Math.max(poll, Math.min(poll * HIDDEN_TIMES, grace / CALLED_LOOKS))
    : poll;
  return Math.ceil(seconds * 1000 * (1 + spread * 0.3));
}
