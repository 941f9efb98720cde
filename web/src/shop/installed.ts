// The verticals of this installation, for every page that wants to know more of what it sells.
import { createContext, useContext } from "react";
import type { ShopVertical } from "./verticals";

export const Verticals = createContext<readonly ShopVertical[]>([]);

/** The verticals of this installation that the shop has pages for. */
export function useVerticals(): readonly ShopVertical[] {
  return useContext(Verticals);
}

/** The vertical that knows more of resources of this kind. */
export function useVerticalOf(kind: string | undefined): ShopVertical | undefined {
  return useVerticals().find((vertical) => kind !== undefined && vertical.kinds.includes(kind));
}
