// The seat map for React: properties in, callbacks out. Everything else is the element's.
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, type Ref } from "react";
import type { SourceError } from "./source";
import {
  type PoolLevel,
  type SeatMapElement,
  type SeatMapEvents,
  type SeatsPlan,
  type SelectionDetail,
  type UnitState,
} from "./element";
import "./element";
import "./SeatMap.css";

export type SeatMapProps = {
  resource?: string | undefined;
  apiKey?: string | undefined;
  apiBase?: string | undefined;
  mode?: "select" | "view" | "block" | undefined;
  max?: number | undefined;
  lang?: string | undefined;
  theme?: "light" | "dark" | "auto" | undefined;
  view?: "map" | "list" | undefined;
  className?: string | undefined;
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
  onSelect?: ((selection: SelectionDetail) => void) | undefined;
  onReady?: (() => void) | undefined;
  onChange?: ((unitsFree: number) => void) | undefined;
  onLost?: ((units: string[]) => void) | undefined;
  onError?: ((failure: SourceError) => void) | undefined;
  ref?: Ref<SeatMapElement> | undefined;
};

const PROPERTIES = [
  "offline",
  "plan",
  "prices",
  "currency",
  "defaultPrice",
  "taken",
  "pools",
  "mine",
  "selection",
  "holding",
] as const;

export function SeatMap({ ref, ...props }: SeatMapProps) {
  const element = useRef<SeatMapElement>(null);
  const given = useRef<Partial<Record<(typeof PROPERTIES)[number], unknown>>>({});
  const callbacks = useRef(props);
  useImperativeHandle<SeatMapElement | null, SeatMapElement | null>(ref, () => element.current, []);

  useLayoutEffect(() => {
    callbacks.current = props;
    if (element.current === null) return;
    // Only what has changed: setting a plan again would build the room again.
    for (const name of PROPERTIES) {
      const value = props[name];
      if (value === undefined || value === given.current[name]) continue;
      given.current[name] = value;
      Object.assign(element.current, { [name]: value });
    }
  });

  useEffect(() => {
    const map = element.current;
    if (map === null) return;
    const ended = new AbortController();
    const on = <K extends keyof SeatMapEvents>(
      name: K,
      act: (detail: SeatMapEvents[K]["detail"]) => void,
    ) => {
      map.addEventListener(
        name,
        (event) => {
          if (event instanceof CustomEvent) act(event.detail);
        },
        { signal: ended.signal },
      );
    };
    on("bespeak-select", (detail) => callbacks.current.onSelect?.(detail));
    on("bespeak-ready", () => callbacks.current.onReady?.());
    on("bespeak-change", (detail) => callbacks.current.onChange?.(detail.units_free));
    on("bespeak-lost", (detail) => callbacks.current.onLost?.(detail.units));
    on("bespeak-error", (detail) => callbacks.current.onError?.(detail));
    return () => ended.abort();
  }, []);

  return (
    <bespeak-seatmap
      ref={element}
      class={props.className}
      resource={props.resource}
      api-key={props.apiKey}
      api-base={props.apiBase}
      mode={props.mode}
      max={props.max}
      lang={props.lang}
      theme={props.theme}
      view={props.view}
    />
  );
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "bespeak-seatmap": {
        ref?: Ref<SeatMapElement> | undefined;
        class?: string | undefined;
        id?: string | undefined;
        resource?: string | undefined;
        "api-key"?: string | undefined;
        "api-base"?: string | undefined;
        mode?: string | undefined;
        max?: number | undefined;
        lang?: string | undefined;
        theme?: string | undefined;
        view?: string | undefined;
      };
    }
  }
}
