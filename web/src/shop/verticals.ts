// The verticals of the shop: each is a folder beside this file with a vertical.tsx. Nothing else in
// the shop knows their names; loadVerticals.ts brings them.
import type { QueryClient } from "@tanstack/react-query";
import { createContext, useContext, type ComponentType } from "react";
import type { BookingView, HoldView, Resource } from "~/api/schema";
import type { Api } from "~/api/client";

export type VerticalRoute = {
  path: string;
  page: ComponentType<{ params: Record<string, string> }>;
  /** Brings the page's program before there is anything to show it. */
  load?: () => Promise<unknown>;
};

/** A line of a hold or a booking, as far as it is shown. */
export type ShownLine = {
  readonly unit?: string | null;
  readonly quantity?: number | null;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly rate?: string | null;
};

export type ShopVertical = {
  routes: readonly VerticalRoute[];
  /** Whether it has anything to sell. Of verticals with a page "/", the first that has is home. */
  isOpen?: (api: Api, cache: QueryClient) => Promise<boolean>;
  /** Its page is home, and its slot stands first, only where no other vertical has anything. */
  comesLast?: boolean;
  HeaderSlot?: ComponentType;
  kinds: readonly string[];
  ResourceHeading?: ComponentType<{ resource: Resource }>;
  ResourceSummary?: ComponentType<{ resource: Resource }>;
  /** The lines of a hold or a booking of it; by default a list of units. */
  Lines?: ComponentType<{ resource: Resource; lines: readonly ShownLine[] }>;
  /** What one does with a booking of it, on the booking's page. */
  BookingPart?: ComponentType<{ booking: BookingView; resource: Resource }>;
  /** Whether the checkout asks for a telephone number, because the desk may have to call. */
  asksPhone?: boolean;
  /** Where what is held can be chosen anew; by default the page of its seats. */
  againHref?: (hold: Pick<HoldView, "lines">) => string;
  isCalledOff?: (api: Api, resourceId: string) => Promise<boolean>;
};

export const Verticals = createContext<readonly ShopVertical[]>([]);

export function useVerticals(): readonly ShopVertical[] {
  return useContext(Verticals);
}

export function useVerticalOf(kind: string | undefined): ShopVertical | undefined {
  return useVerticals().find((vertical) => kind !== undefined && vertical.kinds.includes(kind));
}
