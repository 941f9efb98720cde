// The seat map for React, which sets the element's properties and listens to its events.
import type { Ref } from "react";
import type {
  PoolLevel,
  SeatMapElement,
  SeatMapEvents,
  SeatsPlan,
  SelectionDetail,
  UnitState,
} from "./element";
import "./element";
import "./SeatMap.css";

/** Attributes and properties that have the same name for the element. */
type ElementProps = {
  ref?: Ref<SeatMapElement> | undefined;
  resource?: string | undefined;
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

type SeatMapProps = ElementProps & {
  apiKey?: string | undefined;
  className?: string | undefined;
  onSelect?: ((selection: SelectionDetail) => void) | undefined;
  onReady?: (() => void) | undefined;
  onLost?: ((units: string[]) => void) | undefined;
};

export function SeatMap(props: SeatMapProps) {
  const { apiKey, className, onSelect, onReady, onLost, ...same } = props;
  return (
    <bespeak-seatmap
      {...same}
      class={className}
      api-key={apiKey}
      onbespeak-select={(event) => onSelect?.(event.detail)}
      onbespeak-ready={() => onReady?.()}
      onbespeak-lost={(event) => onLost?.(event.detail.units)}
    />
  );
}

type Listeners = { [K in keyof SeatMapEvents as `on${K}`]?: (event: SeatMapEvents[K]) => void };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "bespeak-seatmap": ElementProps &
        Listeners & { class?: string | undefined; "api-key"?: string | undefined };
    }
  }
}
