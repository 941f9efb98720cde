// The verticals that the shop has pages for: each is a folder beside this file with a vertical.tsx.
// Nothing else of the shop knows any of them by name; a page of theirs is loaded when it is opened.
import { createContext, useContext, type ComponentType } from "react";
import type { Resource } from "./types";
import type { Ask } from "./session";

export type VerticalRoute = {
  path: string;
  page: ComponentType<{ params: Record<string, string> }>;
};

/** What a vertical brings: pages, and what it knows of a resource that it sells. */
export type ShopVertical = {
  routes: readonly VerticalRoute[];
  /** Stands in the page's head, for what all of its pages share. */
  HeaderSlot?: ComponentType;
  /** The kinds of resources that it knows more of. */
  kinds: readonly string[];
  /** What stands above a resource that is being bought. */
  ResourceHeading?: ComponentType<{ resource: Resource }>;
  /** What stands above the price of a resource in the checkout and on a booking. */
  ResourceSummary?: ComponentType<{ resource: Resource }>;
  /** Whether a closed resource was called off, which the resource alone does not tell. */
  isCalledOff?: (ask: Ask, resourceId: string) => Promise<boolean>;
};

type Loader = () => Promise<ShopVertical>;

const FOUND = import.meta.glob<ShopVertical>("./*/vertical.tsx", { import: "vertical" });

/** How to load the vertical of this name; undefined where the shop has no pages for it. */
export function verticalNamed(
  name: string,
  found: Readonly<Record<string, Loader>> = FOUND,
): Loader | undefined {
  return Object.hasOwn(found, `./${name}/vertical.tsx`)
    ? found[`./${name}/vertical.tsx`]
    : undefined;
}

/** Loads those of the installed verticals that the shop has pages for, in their order. */
export async function loadVerticals(names: readonly string[]): Promise<ShopVertical[]> {
  const loaders = names.map((name) => verticalNamed(name)).filter((load) => load !== undefined);
  return Promise.all(loaders.map((load) => load()));
}

export const Verticals = createContext<readonly ShopVertical[]>([]);

/** The verticals of this installation that the shop has pages for. */
export function useVerticals(): readonly ShopVertical[] {
  return useContext(Verticals);
}

/** The vertical that knows more of resources of this kind. */
export function useVerticalOf(kind: string | undefined): ShopVertical | undefined {
  return useVerticals().find((vertical) => kind !== undefined && vertical.kinds.includes(kind));
}
