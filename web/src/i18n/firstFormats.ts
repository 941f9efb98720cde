// The first date that a page writes costs the browser many times what the next does, and so does the first
// number with a unit: it reads its data then. That is done while the program is on its way.

/** Each in a task of its own, so that a slow processor answers the visitor between them. */
export function startFormats(): void {
  setTimeout(() => new Intl.DateTimeFormat().format(0));
  setTimeout(() => new Intl.NumberFormat(undefined, MINUTES).format(0));
}

const MINUTES = { style: "unit", unit: "minute" } as const;
