// The verticals of the shop: each is a folder beside this file with a vertical.tsx. Nothing else in
// the shop knows their names; they are loaded lazily.
import type { QueryClient } from "@tanstack/react-query";
import { createContext, useContext, type ComponentType } from "react";
import type { Resource } from "~/api/schema";
import type { Api } from "~/api/client";

export type VerticalRoute = {
  path: string;
  page: ComponentType<{ params: Record<string, string> }>;
};

export type ShopVertical = {
  routes: readonly VerticalRoute[];
  /** Whether it has anything to sell. Of verticals with a page "/", the first that has is home. */
  isOpen?: (api: Api, cache: QueryClient) => Promise<boolean>;
  HeaderSlot?: ComponentType;
  kinds: readonly string[];
  ResourceHeading?: ComponentType<{ resource: Resource }>;
  ResourceSummary?: ComponentType<{ resource: Resource }>;
  isCalledOff?: (api: Api, resourceId: string) => Promise<boolean>;
};

type Loader = () => Promise<ShopVertical>;

const FOUND = import.meta.glob<ShopVertical>("./*/vertical.tsx", { import: "vertical" });

/** Undefined if the shop has no pages for it. */
export function verticalNamed(
  name: string,
  found: Readonly<Record<string, Loader>> = FOUND,
): Loader | undefined {
  return Object.hasOwn(found, `./${name}/vertical.tsx`)
    ? found[`./${name}/vertical.tsx`]
    : undefined;
}

/** Loads the installed verticals that have pages, in order. */
export async function loadVerticals(names: readonly string[]): Promise<ShopVertical[]> {
  const loaders = names.map((name) => verticalNamed(name)).filter((load) => load !== undefined);
  return Promise.all(loaders.map((load) => load()));
}

export const Verticals = createContext<readonly ShopVertical[]>([]);

export function useVerticals(): readonly ShopVertical[] {
  return useContext(Verticals);
}

export function useVerticalOf(kind: string | undefined): ShopVertical | undefined {
  return useVerticals().find((vertical) => kind !== undefined && vertical.kinds.includes(kind));
}
