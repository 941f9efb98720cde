// How a time is written: with its day, in full where there is room.
export const WHEN = {
  weekday: "long",
  day: "numeric",
  month: "long",
  hour: "numeric",
  minute: "2-digit",
} as const;
export const SHORT_WHEN = { ...WHEN, weekday: "short", month: "short" } as const;
