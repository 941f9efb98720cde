// The icons of the editor's tools: 24 px, one stroke width, beside words or a tooltip that say the same.
import { Drawing } from "~/design";
import type { Point } from "~/seatmap/plan";

const circles = (radius: number, ...middles: Point[]): string =>
  middles
    .map(([x, y]) => {
      const half = `a${radius} ${radius} 0 1 0`;
      return `M${x - radius} ${y}${half} ${2 * radius} 0${half} ${-2 * radius} 0`;
    })
    .join("");

const PATHS = {
  select: "M6 3.5l12 8-5.3 1.2L16 20l-2.6 1.1-3.2-7.2L6 17.5z",
  hand: "M8 12V6.5a1.5 1.5 0 0 1 3 0V11m0-5.5v-1a1.5 1.5 0 0 1 3 0V11m0-4.5a1.5 1.5 0 0 1 3 0V12m0-2.5a1.5 1.5 0 0 1 3 0V15a6 6 0 0 1-6 6h-1.5a6 6 0 0 1-4.8-2.4L4.4 14a1.5 1.5 0 0 1 2.4-1.8L8 13.7",
  section: `${circles(1.7, [6, 7], [12, 7], [18, 7], [6, 12.5], [12, 12.5], [18, 12.5], [6, 18], [12, 18], [18, 18])}`,
  table: `${circles(4.2, [12, 12])}${circles(1.4, [12, 4.4], [12, 19.6], [4.4, 12], [19.6, 12])}`,
  area: "M4 7.5l8-3.5 8 3.5v9L12 20l-8-3.5zM8.5 12h.01M12 10h.01M15.5 12h.01M10 14.5h.01M14 14.5h.01",
  stage: "M3.5 8.5c5-3.3 12-3.3 17 0v3.2c-5-2.6-12-2.6-17 0zM6 16h12M8 19.5h8",
  text: "M5 6.5V5h14v1.5M12 5v14M9.5 19h5",
  line: `${circles(1.8, [5, 19], [19, 5])}M6.5 17.5l11-11`,
  polygon: "M12 3.8l8.2 6-3.1 9.7H6.9L3.8 9.8z",
  focus: `${circles(5, [12, 12])}M12 3v5M12 16v5M3 12h5M16 12h5`,
  erase:
    "M9.5 19.5H20M4.6 14.4l8.8-8.8a1.6 1.6 0 0 1 2.3 0l3.2 3.2a1.6 1.6 0 0 1 0 2.3l-8.4 8.4H8.4l-3.8-2.8a1.6 1.6 0 0 1 0-2.3zM9 10l5.5 5.5",
  aisle: `${circles(2, [5.5, 12], [18.5, 12])}M10 5v3M10 10.5v3M10 16v3M14 5v3M14 10.5v3M14 16v3`,
  wheelchair: `${circles(1.6, [10.5, 4.5])}M10.5 8v6h5.5l2 5 2-.8M10.5 10.5h4.5M8.3 11.4a5 5 0 1 0 6.4 6.6`,
  companion: `${circles(2.8, [8, 7.5])}${circles(2.2, [17, 9])}M3 19c0-3.3 2.2-5.5 5-5.5s5 2.2 5 5.5M15 14.2c2.9-.5 6 1.4 6 4.8`,
  paint: "M14.5 4.5l5 5-8 8c-1.2 1.2-3 1.2-4.2.3L5 20H3.5l2-3.2c-.9-1.3-.8-3 .3-4.2zM12 7l5 5",
  undo: "M8.5 5L4.5 9l4 4M5 9h9a5 5 0 0 1 0 10h-3",
  redo: "M15.5 5l4 4-4 4M19 9h-9a5 5 0 0 0 0 10h3",
  duplicate: "M9 9h10.5v10.5H9zM5.5 15H4.5V4.5H15v1",
  remove: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v6M13.5 10.5v6",
  new: "M12 5v14M5 12h14",
  import: "M12 4v10M8 10.5l4 4 4-4M4.5 16v3.5h15V16",
  export: "M12 15V5M8 8.5l4-4 4 4M4.5 16v3.5h15V16",
  save: "M5 4.5h11L19.5 8v11.5H5zM8.5 4.5V9h6V4.5M8 19.5V14h8v5.5",
  preview: `${circles(2.8, [12, 12])}M2.5 12s3.5-6.5 9.5-6.5 9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12z`,
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  search: `${circles(6, [10.5, 10.5])}M15 15l5 5`,
  keyboard: "M3 7h18v10.5H3zM6.5 10.5h.01M10 10.5h.01M13.5 10.5h.01M17 10.5h.01M7.5 14h9",
  back: "M14.5 5.5L8 12l6.5 6.5",
  chevron: "M9 6l6 6-6 6",
  warning: "M12 4L2.8 19.5h18.4zM12 10v4.5M12 17.2h.01",
  check: "M5 12.5l4.5 4.5L19 7.5",
  panel: "M4 5h16v14H4zM14 5v14",
  list: "M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01",
} as const;

export type IconName = keyof typeof PATHS;

export function ToolIcon({ name, size = 22 }: { name: IconName; size?: number }) {
  return <Drawing path={PATHS[name]} size={size} className="editor-icon" />;
}
