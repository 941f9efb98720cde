// <bespeak-seatmap> in JSX. React sets what the element has as a property, and listens to its events.
import type { Ref } from "react";
import type { PoolLevel } from "../../../core/schemas.ts";
import type { BespeakSeatMap, SeatMapEvents, SeatsPlan, UnitState } from "../seatmap.ts";

type Listeners = {
  [Name in keyof SeatMapEvents as `on${Name}`]?: (event: SeatMapEvents[Name]) => void;
};

/** The attributes, properties and events of the element. */
export type SeatMapProps = Listeners & {
  ref?: Ref<BespeakSeatMap> | undefined;
  class?: string | undefined;
  resource?: string | undefined;
  "api-key"?: string | undefined;
  "api-base"?: string | undefined;
  mode?: "select" | "view" | "block" | undefined;
  max?: number | undefined;
  lang?: string | undefined;
  theme?: "light" | "dark" | "auto" | undefined;
  view?: "map" | "list" | undefined;
  plan?: SeatsPlan | undefined;
  prices?: Readonly<Record<string, number>> | undefined;
  currency?: string | undefined;
  defaultPrice?: number | null | undefined;
  taken?: Readonly<Record<string, UnitState>> | undefined;
  pools?: Readonly<Record<string, PoolLevel>> | undefined;
  selection?: readonly string[] | undefined;
  mine?: readonly string[] | undefined;
  offline?: boolean | undefined;
  holding?: boolean | undefined;
};

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "bespeak-seatmap": SeatMapProps;
    }
  }
}
