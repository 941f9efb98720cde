// Which of the waiting rooms a show is behind.
import type { WaitingRoom } from "~/api/schema";

/** The newest that has not ended; null where guests need no turn. */
export function roomOfShow(rooms: readonly WaitingRoom[], resource: string): WaitingRoom | null {
  const behind = (room: WaitingRoom) => room.resources.includes(resource);
  return rooms.find((room) => room.state !== "ended" && behind(room)) ?? null;
}
