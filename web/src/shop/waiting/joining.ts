// Joining a queue, and what the browser notes of it: the token, the way back, and what was published
// before the sale.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { WaitingRoomNow } from "~/api/schema";
import { useShop } from "../session";
import { keepToken, keptToken, takeTokenOfLink, withHash, type KeptToken } from "./keptTokens";
import { codeOfLink, queueWithout, withoutCode } from "./inviteCodes";
import { useNotePlace } from "./room";

type Joining = { room: WaitingRoomNow; queue: string | null; back: string | null };

/** Joins: by an invitation code, which says the queue, or the queue that needs none. */
export function useJoin({ room, queue, back }: Joining) {
  const { api } = useShop();
  const note = useNotePlace(room);
  return useMutation({
    mutationFn: (code: string | undefined) =>
      api.POST("/v1/waiting-rooms/{waiting_room_id}/queue-tokens", {
        path: { waiting_room_id: room.id },
        body: code === undefined ? { queue: queueWithout(room, queue) } : { code },
      }),
    onSuccess: ({ queue_token: token, place }) => {
      note(token, place);
      keepToken(room.id, tokenOf(room, token, back ?? keptToken(room.id)?.back ?? null));
    },
  });
}

function tokenOf(room: WaitingRoomNow, token: string, back: string | null): KeptToken {
  const seen = keptToken(room.id)?.seedHashes ?? [];
  const seedHashes = room.seed === null ? withHash(seen, room.seed_hash) : seen;
  return { token, resources: room.resources, seedHashes, calledAt: null, back };
}

/** The invitation code in the field: at first that of the address, which is taken out of it. */
export function useTypedCode() {
  const [brought] = useState(() => codeOfLink(globalThis.location));
  const [typed, onType] = useState(brought);
  useEffect(() => {
    const { location } = globalThis;
    if (codeOfLink(location) !== "") {
      history.replaceState(history.state, "", withoutCode(location));
    }
  }, []);
  return { typed, onType, isBrought: brought !== "" };
}

/** Takes the token of a link from another device, and joins who came from what is sold; but not who has
 * a code to enter, or has to have one. */
export function useArrival(of: Joining & { needsCode: boolean }, join: () => void): void {
  const { room, back, needsCode } = of;
  const hasBegun = useRef(false);
  useEffect(() => {
    const take = () => {
      const token = takeTokenOfLink();
      if (token !== null) keepToken(room.id, tokenOf(room, token, back));
    };
    take();
    globalThis.addEventListener("hashchange", take);
    return () => globalThis.removeEventListener("hashchange", take);
    // The room is the one of the address.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [room.id]);
  const mayJoin = room.phase !== "before" && room.phase !== "ended" && !room.draining;
  useEffect(() => {
    if (back === null || !mayJoin || hasBegun.current || keptToken(room.id) !== null) return;
    if (needsCode) return;
    hasBegun.current = true;
    join();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, as soon as it may be
  }, [mayJoin]);
}

type Seen = { room: WaitingRoomNow; kept: KeptToken | null; turn: string | null; at: number };

/** Notes each hash of the seed that is shown while the seed is secret, and since when the turn is called: not later
 * than when it was last seen not to be. While nobody is let in, the time of the turn stands still. */
export function useNoteSeen({ room, kept, turn, at }: Seen): void {
  const before = useRef<number | null>(null);
  const stoodSince = useRef<number | null>(null);
  useEffect(() => {
    if (kept === null) return;
    const isNew = room.seed === null && !kept.seedHashes.includes(room.seed_hash);
    if (isNew || (room.seed === null && kept.resources.length === 0)) {
      const seedHashes = withHash(kept.seedHashes, room.seed_hash);
      keepToken(room.id, { ...kept, seedHashes, resources: room.resources });
    }
    if (turn === "called" && kept.calledAt === null && before.current !== null) {
      keepToken(room.id, { ...kept, calledAt: before.current });
    }
    if (room.phase !== "open") stoodSince.current ??= at;
    else if (stoodSince.current !== null) {
      const stood = at - stoodSince.current;
      stoodSince.current = null;
      if (kept.calledAt !== null) keepToken(room.id, { ...kept, calledAt: kept.calledAt + stood });
    }
    if (turn === "waiting" || turn === "early") before.current = at;
  }, [room, kept, turn, at]);
}
