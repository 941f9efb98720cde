// The seats of rows and tables, in the plan's order. The engine has the same rule: it stands here
// too because the map and the editor draw without asking the server. vectors.json ties the two
// together.
import { STANDARD, type Row, type SeatsPlan, type Section, type Table } from "./plan";

export const ORDINARY = 0;
export const ACCESSIBLE = 1;
export const COMPANION = 2;

/** One seat. `breaks`: not adjacent to the seat before; `offset`: its distance along the row, in
 * seats; `companionOf`: the unit of the accessible seat that it belongs to. */
export type Spot = {
  readonly unit: string;
  readonly label: string;
  readonly category: string;
  readonly access: number;
  readonly breaks: boolean;
  readonly offset: number;
  readonly x: number | null;
  readonly y: number | null;
  readonly companionOf: string | null;
};

/** A row, or the seats of a table, with the index of its section. */
export type SeatRow = { readonly section: number; readonly spots: readonly Spot[] } & (
  { readonly kind: "row"; readonly part: Row } | { readonly kind: "table"; readonly part: Table }
);

const SEATS_MAX = 10_000;

/** All rows and tables with single seats, in the plan's order, also empty ones. */
export function seatRows(plan: SeatsPlan): SeatRow[] {
  const made: SeatRow[] = [];
  (plan.sections ?? []).forEach((section, number) => {
    for (const row of section.rows ?? []) {
      const spots = row.list?.length ? listed(section, row) : counted(section, row);
      made.push({ section: number, kind: "row", part: row, spots });
    }
    for (const table of section.tables ?? []) {
      if (table.whole) continue;
      made.push({ section: number, kind: "table", part: table, spots: around(section, table) });
    }
  });
  return made;
}

function counted(section: Section, row: Row): Spot[] {
  const seats = Math.min(row.seats ?? 0, SEATS_MAX);
  const step = row.step ?? 1;
  const without = new Set(row.without);
  const aisles = new Set(row.aisles);
  const accessible = new Set(row.accessible);
  const escorts = new Map((row.companions ?? []).map((one) => [one.seat, one.of]));
  const category = row.category ?? section.category ?? STANDARD;
  const start = (section.prefix ?? "") + row.name;
  const spots: Spot[] = [];
  let breaks = true;
  let offset = 0;
  for (let place = 0; place < seats; place += 1) {
    const number = (row.first ?? 1) + place * step;
    if (without.has(number)) {
      breaks = true;
    } else {
      const of = escorts.get(number);
      const access = of !== undefined ? COMPANION : accessible.has(number) ? ACCESSIBLE : ORDINARY;
      spots.push({
        unit: start + number,
        label: String(number),
        category,
        access,
        breaks,
        offset,
        x: null,
        y: null,
        companionOf: of === undefined ? null : start + of,
      });
      breaks = false;
    }
    offset += 1;
    if (aisles.has(number)) {
      breaks = true;
      offset += 1;
    }
  }
  return spots;
}

function listed(section: Section, row: Row): Spot[] {
  const start = (section.prefix ?? "") + row.name;
  const usual = row.category ?? section.category ?? STANDARD;
  const spots: Spot[] = [];
  let offset = -1;
  for (const seat of row.list ?? []) {
    const gap = (seat.gap ?? false) && spots.length > 0;
    offset += gap ? 2 : 1;
    const isCompanion = seat.companion_of !== undefined && seat.companion_of !== null;
    spots.push({
      unit: start + seat.label,
      label: seat.label,
      category: seat.category ?? usual,
      access: isCompanion ? COMPANION : seat.accessible ? ACCESSIBLE : ORDINARY,
      breaks: gap || spots.length === 0,
      offset,
      x: seat.x ?? null,
      y: seat.y ?? null,
      companionOf: isCompanion ? start + seat.companion_of : null,
    });
  }
  return spots;
}

function around(section: Section, table: Table): Spot[] {
  const accessible = new Set(table.accessible);
  const category = table.category ?? section.category ?? STANDARD;
  return Array.from({ length: Math.min(table.seats, SEATS_MAX) }, (_, place) => ({
    unit: `${section.prefix ?? ""}${table.name}-${place + 1}`,
    label: String(place + 1),
    category,
    access: accessible.has(place + 1) ? ACCESSIBLE : ORDINARY,
    breaks: place === 0,
    offset: place,
    x: null,
    y: null,
    companionOf: null,
  }));
}
