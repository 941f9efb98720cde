// A waiting room as it is this moment, and how it was over the last minutes, as long as one looks.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ChangeWaitingRoom, WaitingRoom } from "~/api/schema";
import { showChanged } from "~/api/showChanged";
import { api } from "../session";

const LOOK_MS = 2000;
const MOMENTS_MAX = 300;

/** In seconds since 1970, and counts. */
export type Moment = {
  readonly at: number;
  readonly waiting: number;
  readonly inside: number;
  readonly aMinute: number;
  readonly joined: number;
  /** Units left to buy; null where they are not counted. */
  readonly left: number | null;
};

const keyOf = (id: string) => ["waiting-room-of-operator", id];

export function useRoom(id: string) {
  const path = { waiting_room_id: id };
  return useQuery({
    queryKey: keyOf(id),
    queryFn: () => api.GET("/v1/waiting-rooms/{waiting_room_id}", { path }),
    refetchInterval: LOOK_MS,
  });
}

/** What all who wait are told, now and since the page is open; nothing of a room that has ended. */
export function useMoments({ id, state, inside }: WaitingRoom) {
  const path = { waiting_room_id: id };
  const found = useQuery({
    queryKey: ["waiting-room-told", id],
    enabled: state !== "ended",
    queryFn: () => api.GET("/v1/waiting-rooms/{waiting_room_id}/now", { path }),
    refetchInterval: LOOK_MS,
    retry: false,
  });
  const [moments, setMoments] = useState<readonly Moment[]>([]);
  const { data: told, dataUpdatedAt: at } = found;
  useEffect(() => {
    if (told === undefined) return;
    const moment = {
      at: at / 1000,
      waiting: told.queues.reduce((sum, one) => sum + one.waiting, 0),
      aMinute: told.queues.reduce((sum, one) => sum + one.a_minute, 0),
      inside,
      joined: told.queues.reduce((sum, one) => sum + one.joined, 0),
      left: told.units_left,
    };
    setMoments((before) => [...before, moment].slice(-MOMENTS_MAX));
    // One for each answer.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [at]);
  return { told, moments };
}

/** Changes a room, and shows it as it is then. */
export function useChangeRoom(id: string) {
  const queries = useQueryClient();
  return async (body: ChangeWaitingRoom): Promise<WaitingRoom> => {
    const path = { waiting_room_id: id };
    const changed = await api.PATCH("/v1/waiting-rooms/{waiting_room_id}", { path, body });
    await showChanged(queries, keyOf(id), changed);
    return changed;
  };
}
