// Icons: one stroke width, 24 px, in the colour of the text around them. They only repeat what text
// says, so they are hidden from screen readers.
const PATHS = {
  today: "M4 19V11M10 19V5M16 19v-9M21 19H3",
  shows:
    "M5.5 5h13a2.5 2.5 0 0 1 2.5 2.5v9a2.5 2.5 0 0 1 -2.5 2.5h-13a2.5 2.5 0 0 1 -2.5 -2.5v-9a2.5 2.5 0 0 1 2.5 -2.5z M3 10h18M8 3v4M16 3v4",
  ticket:
    "M3.5 8a2 2 0 0 1 2-2h13a2 2 0 0 1 2 2v2a2 2 0 0 0 0 4v2a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-2a2 2 0 0 0 0-4z M14 6v2M14 11v2M14 16v2",
  work: "M4 13h4l2 3h4l2-3h4 M6.5 5h11l3 8v4a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-4z",
  clock: "M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0 -17 0 M12 7v5l3.5 2",
  import: "M12 4v10M8 10.5l4 4 4-4 M4 16v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-2",
  download: "M12 4v10M8 10.5l4 4 4-4M5 20h14",
  key: "M4 15a4 4 0 1 0 8 0a4 4 0 1 0 -8 0 M11 12l8.5-8.5M16 7l3 3M13.5 9.5l2 2",
  seat: "M7 12V6.5A2.5 2.5 0 0 1 9.5 4h5A2.5 2.5 0 0 1 17 6.5V12 M4.5 11.5a1.5 1.5 0 0 1 3 0V14h9v-2.5a1.5 1.5 0 0 1 3 0V17a1 1 0 0 1-1 1h-13a1 1 0 0 1-1-1zM7 18v2M17 18v2",
  rooms:
    "M5 20V5a1 1 0 0 1 1-1h12a1 1 0 0 1 1 1v15M3 20h18M10 20v-5h4v5M9 8h1M14 8h1M9 11.5h1M14 11.5h1",
  search: "M4.5 11a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0 -13 0 M16 16l4.5 4.5",
  more: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  logout: "M14 4h4a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-4M10 8l-4 4 4 4M6 12h9",
  copy: "M11 9h7a2 2 0 0 1 2 2v7a2 2 0 0 1 -2 2h-7a2 2 0 0 1 -2 -2v-7a2 2 0 0 1 2 -2z M5 15a1 1 0 0 1-1-1V6a2 2 0 0 1 2-2h8a1 1 0 0 1 1 1",
  check: "M5 12.5l4.5 4.5L19 7.5",
  warning: "M12 4L2.8 19.5h18.4zM12 10v4.5M12 17v.2",
  shield:
    "M12 3.5l7.5 2.8v5.2c0 4.5-3 7.7-7.5 9-4.5-1.3-7.5-4.5-7.5-9V6.3z M8.5 12l2.5 2.5 4.5-4.8",
  block: "M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0 -17 0 M6 6l12 12",
  refund: "M4 12a8 8 0 1 1 2.5 5.8M4 18v-4.5h4.5",
  card: "M5.5 5.5h13a2.5 2.5 0 0 1 2.5 2.5v8a2.5 2.5 0 0 1 -2.5 2.5h-13a2.5 2.5 0 0 1 -2.5 -2.5v-8a2.5 2.5 0 0 1 2.5 -2.5z M3 10h18M7 15h3",
  person: "M8 8a4 4 0 1 0 8 0a4 4 0 1 0 -8 0 M4.5 20c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5",
  crowd:
    "M5.5 8.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0 M2.5 19.5c.8-3.5 3.2-5 6.5-5s5.7 1.5 6.5 5M15.5 5.3a3.5 3.5 0 0 1 0 6.4M18 14.8c1.9.7 3 2.2 3.5 4.7",
  webhook: "M4 12h10M10 8l4 4-4 4 M14 5h4a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-4",
  plus: "M12 5v14M5 12h14",
  back: "M15 5l-7 7 7 7",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  pin: "M12 21s7-6.2 7-11.5a7 7 0 0 0-14 0C5 14.8 12 21 12 21z M9.5 9.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0",
  sun: "M8 12a4 4 0 1 0 8 0a4 4 0 1 0 -8 0 M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  minus: "M5 12h14",
  forward: "M9 5l7 7-7 7",
  access:
    "M9.4 4.5a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0 -3.2 0 M11 8v6h4.5l2.5 5M11 10.5h4M8.2 11.4a5 5 0 1 0 6.6 6.8",
  globe:
    "M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0 -17 0 M3.5 12h17M12 3.5c2.6 2.4 3.8 5.2 3.8 8.5s-1.2 6.1-3.8 8.5c-2.6-2.4-3.8-5.2-3.8-8.5s1.2-6.1 3.8-8.5z",
  programme: "M12 3.8l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z",
  flag: "M6 21V4M6 4.5h11.5l-2.5 4 2.5 4H6",
  filter: "M4 6.5h16M7 12h10M10 17.5h4",
  bed: "M3.5 6v13M3.5 16h17M20.5 19v-5a3 3 0 0 0-3-3H10v5 M5 11.5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0",
};

export type IconName = keyof typeof PATHS;

type DrawingProps = { path: string; size: number; className: string };

export function Drawing({ path, size, className }: DrawingProps) {
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
    </svg>
  );
}

type IconProps = { name: IconName; size?: number; flip?: boolean };

/** An icon. `flip` turns one that points along the line of reading around in right-to-left text. */
export function Icon({ name, size = 20, flip = false }: IconProps) {
  return <Drawing path={PATHS[name]} size={size} className={flip ? "icon icon-flip" : "icon"} />;
}
