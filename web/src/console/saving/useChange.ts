// Saves a form of something that is there, and takes back nothing that others saved meanwhile. The form
// keeps what it began with, and only what differs from that is sent. Where somebody else changed the
// same, that is told first: one saves again, or loads theirs.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Problem } from "~/api/client";
import { ChangedMeanwhile } from "./changedMeanwhile";
import { isOver } from "./changes";
import { useSave } from "./useSave";

type Way<Of, Draft, Body extends object> = {
  /** What is read anew once it is saved, and under which key it was read. */
  stale: readonly string[];
  key: readonly string[];
  read: () => Promise<Of>;
  /** `now` is what was just read: the change is for its version. */
  send: (body: Body, now: Of) => Promise<Of>;
  /** All that the form says of something, by the names under which it is sent. */
  own: (of: Of) => object;
  /** Only what differs from what the form began with; `now` has what the form does not show. */
  changeOf: (began: Of, draft: Draft, now: Of) => Body;
};

export function useChange<Of, Draft, Body extends object>(
  found: Of,
  { stale, key, read, send, own, changeOf }: Way<Of, Draft, Body>,
) {
  const queries = useQueryClient();
  const { busy, error, save, forget } = useSave(stale);
  const [began, begin] = useState(found);
  const [edition, setEdition] = useState(0);
  // What one was told of: what is saved next is over this, and over nothing later.
  const [told, setTold] = useState<Of | null>(null);
  // What one was told of since then by a removal: that is taken away next, and not saved over.
  const [toGo, setToGo] = useState<Of | null>(null);
  const anew = (of: Of) => {
    begin(of);
    setTold(null);
    setToGo(null);
    setEdition((before) => before + 1);
    forget();
  };
  const attempt = async (draft: Draft, again = true): Promise<Of> => {
    const now = await read();
    const body = changeOf(began, draft, now);
    if (isOver(own(told ?? began), own(now), body)) {
      setTold(now);
      setToGo(null);
      throw new ChangedMeanwhile();
    }
    try {
      return await send(body, now);
    } catch (refused) {
      // Somebody saved between the two: what they changed is looked at as well.
      if (isLate(refused) && again) return await attempt(draft, false);
      throw refused;
    }
  };
  return {
    /** What the form began with, and how often it began: with another number, it begins anew. */
    began,
    edition,
    busy,
    error,
    forget,
    /** Goes on from what was saved in another way. */
    beginAnew: anew,
    /** Lets go of what was typed, for what others have saved. */
    loadTheirs: () => {
      const theirs = toGo ?? told;
      if (theirs !== null) anew(theirs);
    },
    /** Takes away what one has seen, for its version. What others changed since then is told first. */
    takeAway: async (call: (seen: Of) => Promise<Of>): Promise<Of> => {
      try {
        return await call(toGo ?? told ?? began);
      } catch (refused) {
        if (!isLate(refused)) throw refused;
        setToGo(await read());
        throw new ChangedMeanwhile(true);
      }
    },
    isUnchanged: (draft: Draft) => Object.keys(changeOf(began, draft, began)).length === 0,
    change: (draft: Draft, onSaved: (saved: Of) => void) =>
      save(
        () => attempt(draft),
        (saved) => {
          // It has what others saved too: so does the form, else it would take that back the next time.
          anew(saved);
          queries.setQueryData(key, saved);
          onSaved(saved);
        },
      ),
  };
}

const isLate = (refused: unknown) =>
  refused instanceof Problem && refused.code === "version_mismatch";

/** The version that a change is for, where there is one. */
export const versionOf = ({ version }: { version?: number | null }) =>
  typeof version === "number" ? { version } : {};
