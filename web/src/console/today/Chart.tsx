// A time chart in the colours of the theme, updated in place.
import { useEffect, useEffectEvent, useMemo, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useTheme } from "~/design";
import { dateTime, number } from "~/i18n/format";

export type Line = {
  readonly name: string;
  /** The design token of its colour. */
  readonly color: string;
  /** Null where there is nothing to draw yet. */
  readonly values: readonly (number | null)[];
  readonly isBars?: boolean;
};

type ChartProps = {
  label: string;
  /** Seconds since 1970. */
  times: readonly number[];
  lines: readonly Line[];
  format?: (value: number) => string;
  /** Where the scale ends, unless a value is greater. */
  top?: number;
};

const HEIGHT = 240;
const DAY_SECONDS = 86_400;
const FONT = "12px Inter, system-ui, sans-serif";

/** Recreated only when its series or the theme change. */
export function Chart(props: ChartProps) {
  const theme = useTheme();
  const shape = props.lines.map((line) => `${line.name} ${line.color}`).join(" ");
  return <Drawn key={`${theme} ${shape}`} {...props} />;
}

function Drawn(props: ChartProps) {
  const { label, times, lines, format = (value) => number(value), top } = props;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const data = useMemo<uPlot.AlignedData>(
    () => [[...times], ...lines.map((line) => [...line.values])],
    [times, lines],
  );
  const inWords = useEffectEvent((value: number) => format(value));
  const make = useEffectEvent(
    (element: HTMLElement) => new uPlot(options(element, lines, inWords, top), data, element),
  );
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const made = make(element);
    chart.current = made;
    const sizes = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height: HEIGHT });
    });
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      made.destroy();
      chart.current = null;
    };
  }, []);
  useEffect(() => {
    chart.current?.setData(data);
  }, [data]);
  return <div ref={place} className="console-chart" role="img" aria-label={label} />;
}

function options(
  element: HTMLElement,
  lines: readonly Line[],
  format: (value: number) => string,
  top = 1,
): uPlot.Options {
  const token = (name: string) => getComputedStyle(element).getPropertyValue(name).trim();
  const grid = { stroke: token("--line"), width: 1 };
  const axis = { stroke: token("--ink-2"), font: FONT, ticks: { show: false } };
  return {
    width: Math.max(1, element.clientWidth),
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { size: 7 } },
    padding: [12, 8, 0, 0],
    scales: {
      y: { range: (_plot, _min, max) => [0, max * 1.08 > top && max !== top ? max * 1.08 : top] },
    },
    series: [
      {},
      ...lines.map((line) => ({
        label: line.name,
        stroke: token(line.color),
        width: line.isBars ? 0 : 2,
        fill: line.isBars ? token(line.color) : `${token(line.color)}1f`,
        points: { show: false },
        ...(line.isBars && uPlot.paths.bars
          ? { paths: uPlot.paths.bars({ size: [0.7, 24], radius: 0.15 }) }
          : {}),
      })),
    ],
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 80,
        size: 32,
        values: (plot, ticks) => ticks.map((tick) => timeWords(tick, spanOf(plot))),
      },
      {
        ...axis,
        grid,
        size: 56,
        values: (_plot, ticks) => ticks.map((tick) => format(tick)),
      },
    ],
  };
}

function spanOf(plot: uPlot): number {
  const { min, max } = plot.scales["x"] ?? {};
  return (max ?? 0) - (min ?? 0);
}

function timeWords(seconds: number, span: number): string {
  const at = new Date(seconds * 1000);
  if (span > 2 * DAY_SECONDS) return dateTime(at, { weekday: "short", day: "numeric" });
  return dateTime(at, { hour: "2-digit", minute: "2-digit" });
}
