// A seat map as CSV, a line for each seat. Reading it gives the same units; what is drawn, ranks,
// colours and rules are not in it.
import { STANDARD, type SeatsPlan } from "~/seatmap/plan";
import { ACCESSIBLE, COMPANION, seatRows } from "~/seatmap/seats";
import { tableKey } from "../document/items";
import { sceneOf } from "../document/scene";
import { writeLine } from "./csvCells";
import { RARE, USUAL, type Column } from "./csvRecords";

type Line = Partial<Record<Column, string>>;

/** The CSV of a plan that has no errors. */
export function writeCsv(plan: SeatsPlan): string {
  const lines = [...seatLines(plan), ...otherLines(plan)];
  const prices = new Map((plan.categories ?? []).map(({ name, price }) => [name, price]));
  for (const line of lines) {
    const price = prices.get(line.category ?? "");
    if (typeof price === "number") line.price = String(price);
  }
  const columns = [...USUAL, ...RARE.filter((column) => lines.some((line) => line[column]))];
  const rows = lines.map((line) => writeLine(columns.map((column) => line[column] ?? "")));
  return writeLine(columns) + rows.join("");
}

/** The names that CSV cannot say: spaces at an end are lost. */
export function unsayable(plan: SeatsPlan): string | null {
  const names = (plan.sections ?? []).flatMap((section) => [
    section.name,
    section.prefix ?? "",
    section.category ?? "",
    ...(section.rows ?? []).flatMap((row) => [
      row.name,
      row.category ?? "",
      ...(row.list ?? []).flatMap((seat) => [seat.label, seat.category ?? ""]),
    ]),
    ...(section.tables ?? []).flatMap((table) => [table.name, table.category ?? ""]),
  ]);
  const pools = (plan.pools ?? []).flatMap((pool) => [pool.unit, pool.category ?? ""]);
  return [...names, ...pools].find((name) => name !== name.trim()) ?? null;
}

const places = (x: number, y: number): Pick<Line, "x" | "y"> => ({
  x: String(Math.round(x * 1000) / 1000 || 0),
  y: String(Math.round(y * 1000) / 1000 || 0),
});

/** Whether the plan says of anything where it stands. */
function isPlaced(plan: SeatsPlan): boolean {
  return (plan.sections ?? []).some(
    (section) =>
      typeof section.x === "number" ||
      Boolean(section.rotation) ||
      Boolean(section.curve) ||
      (section.rows ?? []).some(
        (row) =>
          typeof row.x === "number" ||
          typeof row.y === "number" ||
          (row.list ?? []).some((seat) => typeof seat.x === "number"),
      ) ||
      (section.tables ?? []).some((table) => typeof table.x === "number"),
  );
}

function seatLines(plan: SeatsPlan): Line[] {
  const { room, tables } = sceneOf(plan);
  const hasPlaces = isPlaced(plan);
  const lines: Line[] = [];
  const numbers = tableNumbers(plan);
  let unit = 0;
  for (const row of seatRows(plan)) {
    const section = plan.sections?.[row.section];
    const prefix = section?.prefix ?? "";
    const start = (prefix + row.part.name).length;
    const table = row.kind === "table" ? tables.get(numbers.get(row.part) ?? "") : undefined;
    row.spots.forEach((spot, at) => {
      const line: Line = {
        section: section?.name ?? "",
        row: row.part.name,
        seat: spot.label,
        category: spot.category,
        prefix,
      };
      if (hasPlaces) {
        const [x, y] = table ? [table.x, table.y] : [room.x[unit] ?? 0, room.y[unit] ?? 0];
        Object.assign(line, places(x, y));
      }
      if (spot.access === ACCESSIBLE) line.accessible = "yes";
      if (spot.access === COMPANION && spot.companionOf)
        line.companion_of = spot.companionOf.slice(start);
      if (row.kind === "table") line.table = "shared";
      else if (spot.breaks && at > 0) line.gap = "yes";
      lines.push(line);
      unit += 1;
    });
  }
  return lines;
}

function tableNumbers(plan: SeatsPlan): Map<unknown, string> {
  return new Map(
    (plan.sections ?? []).flatMap((section, at) =>
      (section.tables ?? []).map((table, number) => [table, tableKey(at, number)] as const),
    ),
  );
}

/** The lines of the tables that are sold whole and of the areas. */
function otherLines(plan: SeatsPlan): Line[] {
  const lines: Line[] = [];
  const { tables } = sceneOf(plan);
  (plan.sections ?? []).forEach((section, at) => {
    (section.tables ?? []).forEach((table, number) => {
      if (!table.whole) return;
      const shown = tables.get(tableKey(at, number));
      lines.push({
        section: section.name,
        row: table.name,
        seat: String(table.seats),
        category: table.category ?? section.category ?? STANDARD,
        prefix: section.prefix ?? "",
        table: "whole",
        ...(typeof table.x === "number" && shown && places(shown.x, shown.y)),
      });
    });
  });
  for (const pool of plan.pools ?? []) {
    lines.push({ seat: pool.unit, category: pool.category ?? "", capacity: String(pool.capacity) });
  }
  return lines;
}
