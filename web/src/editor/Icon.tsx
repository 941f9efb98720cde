// The icons of the editor's tools: 24 px, one stroke width, beside words or a tooltip that say the same.
import type { ReactNode } from "react";

const DRAWINGS = {
  select: <path d="M6 3.5l12 8-5.3 1.2L16 20l-2.6 1.1-3.2-7.2L6 17.5z" />,
  hand: (
    <path d="M8 12V6.5a1.5 1.5 0 0 1 3 0V11m0-5.5v-1a1.5 1.5 0 0 1 3 0V11m0-4.5a1.5 1.5 0 0 1 3 0V12m0-2.5a1.5 1.5 0 0 1 3 0V15a6 6 0 0 1-6 6h-1.5a6 6 0 0 1-4.8-2.4L4.4 14a1.5 1.5 0 0 1 2.4-1.8L8 13.7" />
  ),
  section: (
    <>
      <circle cx="6" cy="7" r="1.7" />
      <circle cx="12" cy="7" r="1.7" />
      <circle cx="18" cy="7" r="1.7" />
      <circle cx="6" cy="12.5" r="1.7" />
      <circle cx="12" cy="12.5" r="1.7" />
      <circle cx="18" cy="12.5" r="1.7" />
      <circle cx="6" cy="18" r="1.7" />
      <circle cx="12" cy="18" r="1.7" />
      <circle cx="18" cy="18" r="1.7" />
    </>
  ),
  table: (
    <>
      <circle cx="12" cy="12" r="4.2" />
      <circle cx="12" cy="4.4" r="1.4" />
      <circle cx="12" cy="19.6" r="1.4" />
      <circle cx="4.4" cy="12" r="1.4" />
      <circle cx="19.6" cy="12" r="1.4" />
    </>
  ),
  area: (
    <path d="M4 7.5l8-3.5 8 3.5v9L12 20l-8-3.5zM8.5 12h.01M12 10h.01M15.5 12h.01M10 14.5h.01M14 14.5h.01" />
  ),
  stage: <path d="M3.5 8.5c5-3.3 12-3.3 17 0v3.2c-5-2.6-12-2.6-17 0zM6 16h12M8 19.5h8" />,
  text: <path d="M5 6.5V5h14v1.5M12 5v14M9.5 19h5" />,
  line: (
    <>
      <path d="M6.5 17.5l11-11" />
      <circle cx="5" cy="19" r="1.8" />
      <circle cx="19" cy="5" r="1.8" />
    </>
  ),
  polygon: <path d="M12 3.8l8.2 6-3.1 9.7H6.9L3.8 9.8z" />,
  focus: (
    <>
      <circle cx="12" cy="12" r="5" />
      <path d="M12 3v5M12 16v5M3 12h5M16 12h5" />
    </>
  ),
  erase: (
    <path d="M9.5 19.5H20M4.6 14.4l8.8-8.8a1.6 1.6 0 0 1 2.3 0l3.2 3.2a1.6 1.6 0 0 1 0 2.3l-8.4 8.4H8.4l-3.8-2.8a1.6 1.6 0 0 1 0-2.3zM9 10l5.5 5.5" />
  ),
  aisle: (
    <>
      <circle cx="5.5" cy="12" r="2" />
      <circle cx="18.5" cy="12" r="2" />
      <path d="M10 5v3M10 10.5v3M10 16v3M14 5v3M14 10.5v3M14 16v3" />
    </>
  ),
  wheelchair: (
    <>
      <circle cx="10.5" cy="4.5" r="1.6" />
      <path d="M10.5 8v6h5.5l2 5 2-.8M10.5 10.5h4.5M8.3 11.4a5 5 0 1 0 6.4 6.6" />
    </>
  ),
  companion: (
    <>
      <circle cx="8" cy="7.5" r="2.8" />
      <circle cx="17" cy="9" r="2.2" />
      <path d="M3 19c0-3.3 2.2-5.5 5-5.5s5 2.2 5 5.5M15 14.2c2.9-.5 6 1.4 6 4.8" />
    </>
  ),
  paint: (
    <path d="M14.5 4.5l5 5-8 8c-1.2 1.2-3 1.2-4.2.3L5 20H3.5l2-3.2c-.9-1.3-.8-3 .3-4.2zM12 7l5 5" />
  ),
  undo: <path d="M8.5 5L4.5 9l4 4M5 9h9a5 5 0 0 1 0 10h-3" />,
  redo: <path d="M15.5 5l4 4-4 4M19 9h-9a5 5 0 0 0 0 10h3" />,
  duplicate: <path d="M9 9h10.5v10.5H9zM5.5 15H4.5V4.5H15v1" />,
  remove: <path d="M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v6M13.5 10.5v6" />,
  new: <path d="M12 5v14M5 12h14" />,
  import: <path d="M12 4v10M8 10.5l4 4 4-4M4.5 16v3.5h15V16" />,
  export: <path d="M12 15V5M8 8.5l4-4 4 4M4.5 16v3.5h15V16" />,
  save: <path d="M5 4.5h11L19.5 8v11.5H5zM8.5 4.5V9h6V4.5M8 19.5V14h8v5.5" />,
  preview: (
    <>
      <path d="M2.5 12s3.5-6.5 9.5-6.5 9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12z" />
      <circle cx="12" cy="12" r="2.8" />
    </>
  ),
  fit: <path d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5" />,
  plus: <path d="M12 5v14M5 12h14" />,
  minus: <path d="M5 12h14" />,
  search: (
    <>
      <circle cx="10.5" cy="10.5" r="6" />
      <path d="M15 15l5 5" />
    </>
  ),
  keyboard: (
    <path d="M3 7h18v10.5H3zM6.5 10.5h.01M10 10.5h.01M13.5 10.5h.01M17 10.5h.01M7.5 14h9" />
  ),
  back: <path d="M14.5 5.5L8 12l6.5 6.5" />,
  chevron: <path d="M9 6l6 6-6 6" />,
  warning: <path d="M12 4L2.8 19.5h18.4zM12 10v4.5M12 17.2h.01" />,
  check: <path d="M5 12.5l4.5 4.5L19 7.5" />,
  panel: <path d="M4 5h16v14H4zM14 5v14" />,
  list: <path d="M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01" />,
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof DRAWINGS;

export function ToolIcon({ name, size = 22 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="editor-icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {DRAWINGS[name]}
    </svg>
  );
}
