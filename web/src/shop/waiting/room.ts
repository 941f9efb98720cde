// How a waiting room stands, and the visitor in it. All get the same answer, without a key or a name, so
// that a cache may keep it; where one stands follows from it, and is asked for when that changes.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { createApi, Problem } from "~/api/client";
import type { PlaceNow, WaitingRoomNow } from "~/api/schema";
import { dropToken, keptToken, storedToken, watchTokens, type KeptToken } from "./keptTokens";
import { isPlaceOld, lookAfterMs } from "./standing";

const api = createApi(() => ({}));
const RETRIES_MAX = 2;
const LOST_MS = 5000;
/** So long it takes at most until all servers have counted whoever joined at the same moment. */
const COUNTED_MS = 5000;

export function useRoomNow(roomId: string) {
  const [spread] = useState(Math.random);
  return useQuery({
    queryKey: ["waiting-room", roomId],
    queryFn: () =>
      api.GET("/v1/waiting-rooms/{waiting_room_id}/now", { path: { waiting_room_id: roomId } }),
    // Coming back to the page looks at once, and still not more often than everybody may.
    staleTime: ({ state }) => (state.data?.poll_seconds ?? 0) * 1000,
    refetchInterval: ({ state }) => {
      if (isOver(state.error)) return false;
      return state.data === undefined ? LOST_MS : lookAfterMs(state.data, document.hidden, spread);
    },
    refetchIntervalInBackground: true,
    // A worker knows of a new room within a second.
    retry: (count, error) => count < RETRIES_MAX && (isOver(error) || isRetryable(error)),
  });
}

/** Whether a room has ended, or never was. */
export function isOver(error: unknown): boolean {
  return error instanceof Problem && error.status === 404;
}

function isRetryable(error: unknown): boolean {
  return error instanceof Problem && error.retryable;
}

/** The token that this browser has for a room, whichever tab joined. */
export function useKeptToken(roomId: string): KeptToken | null {
  const stored = useSyncExternalStore(watchTokens, () => storedToken(roomId));
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- what is stored is what changes
  return useMemo(() => keptToken(roomId), [roomId, stored]);
}

/** With another seed there is another draw, and another place. */
const placeKey = (room: Pick<WaitingRoomNow, "id" | "seed_hash">, token: string) => [
  "queue-place",
  room.id,
  room.seed_hash,
  token,
];

export function useNotePlace(room: WaitingRoomNow): (token: string, place: PlaceNow) => void {
  const queries = useQueryClient();
  return (token, place) => queries.setQueryData(placeKey(room, token), place);
}

/** The place as it was last asked for; `lookedAt` is when the room was. */
export function usePlace(room: WaitingRoomNow, token: string | null, lookedAt: number) {
  const found = useQuery({
    queryKey: placeKey(room, token ?? ""),
    enabled: token !== null,
    queryFn: () =>
      api.GET("/v1/waiting-rooms/{waiting_room_id}/place", {
        path: { waiting_room_id: room.id },
        query: { queue_token: token ?? "" },
      }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { data: place, dataUpdatedAt: toldAt, error, refetch } = found;
  const first = useRef({ token, at: Infinity });
  const isUnknown = error instanceof Problem && error.code === "queue_token_invalid";
  useEffect(() => {
    if (isUnknown) dropToken(room.id);
  }, [isUnknown, room.id]);
  useEffect(() => {
    if (token === null || isUnknown) return;
    if (place === undefined) {
      if (error !== null) void refetch();
      return;
    }
    // What is told on joining counts those who joined before at other servers when they are known there.
    if (first.current.token !== token) first.current = { token, at: Infinity };
    first.current.at = Math.min(first.current.at, toldAt);
    const countedAt = first.current.at + COUNTED_MS;
    const isUncounted = place.place !== null && toldAt < countedAt && lookedAt >= countedAt;
    if (isUncounted || isPlaceOld(room, place)) void refetch();
    // Once for each look at the room.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [lookedAt]);
  return token === null ? undefined : place;
}
