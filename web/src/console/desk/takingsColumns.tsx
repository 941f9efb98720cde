// What was taken at the desk, by means of payment and by whom.
import type { TFunction } from "i18next";
import type { DeskTakings } from "~/api/schema";
import { money, number } from "~/i18n/format";
import { Actor, type Column } from "../parts";

export function takingsColumns(t: TFunction<"console">): readonly Column<DeskTakings>[] {
  return [
    { key: "method", leads: true, cell: (row) => t(`desk.methods.${row.method}`, row.method) },
    { key: "by", cell: (row) => row.actor && <Actor actor={row.actor} /> },
    { key: "payments", numeric: true, cell: (row) => number(row.payments) },
    { key: "taken", numeric: true, cell: (row) => money(row.taken, row.currency) },
    { key: "handed_back", numeric: true, cell: (row) => money(row.handed_back, row.currency) },
  ];
}
