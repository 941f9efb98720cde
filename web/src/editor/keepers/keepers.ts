// What the editor was opened for, as its address says it.
import { useSearch } from "wouter";
import { HALLS } from "./halls";
import type { Keeper } from "./keeper";
import { SCREENS } from "./screens";

/** A room that is there, or a new one in some home. */
export type Wanted = {
  readonly keeper: Keeper;
  readonly room: string | null;
  readonly home: string | null;
};

export function useWanted(): Wanted {
  const query = new URLSearchParams(useSearch());
  const isNamed = ({ words, home }: Keeper) => query.has(words) || query.has(home);
  const keeper = isNamed(SCREENS) ? SCREENS : HALLS;
  return { keeper, room: query.get(keeper.words), home: query.get(keeper.home) };
}

/** The address of an empty document that is for the same home. */
export const blankAddress = ({ keeper, home }: Wanted) =>
  home === null ? "/console/editor" : `/console/editor?${keeper.home}=${encodeURIComponent(home)}`;
