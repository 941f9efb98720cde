// A table of bookings.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { calledBy, reachedBy } from "../contact";
import type { BookingRow } from "../types";
import { Cash, type Column, DataTable, type Pages, ShowTime, StateBadge, When } from "../parts";
import { useTitled } from "./titled";
import { unitsInWords } from "./units";

type BookingsTableProps = {
  pages: Pages<BookingRow>;
  withoutShow?: boolean;
};

const columnsOf = (entitle: ReturnType<typeof useTitled>): readonly Column<BookingRow>[] => [
  {
    key: "who",
    leads: true,
    cell: ({ booking, contact }) => (
      <div className="console-name">
        <Link href={`/console/bookings/${booking.id}`} className="console-row-link">
          {calledBy(contact) ?? booking.owner}
        </Link>
        <span className="console-quiet">{reachedBy(contact)}</span>
      </div>
    ),
  },
  {
    key: "show",
    cell: ({ resource }) => (
      <div className="console-name">
        <Link href={`/console/shows/${resource.id}`} className="console-quiet-link">
          {resource.name}
        </Link>
        <ShowTime of={resource} />
      </div>
    ),
  },
  { key: "units", cell: ({ booking }) => unitsInWords(booking.lines.map(entitle)) },
  { key: "amount", numeric: true, cell: ({ booking }) => <Cash of={booking.amount} /> },
  { key: "at", cell: ({ booking }) => <When at={booking.confirmed_at} /> },
  { key: "state", cell: ({ booking }) => <StateBadge state={booking.state} /> },
];

export function BookingsTable({ pages, withoutShow = false }: BookingsTableProps) {
  const { t } = useTranslation("console");
  const entitle = useTitled(pages.rows?.flatMap(({ booking }) => booking.lines) ?? []);
  const columns = columnsOf(entitle);
  const none = withoutShow ? "bookings.none_yet" : "bookings.none";
  return (
    <DataTable
      label={t("bookings.title")}
      words="bookings"
      columns={withoutShow ? columns.filter((column) => column.key !== "show") : columns}
      {...pages}
      rowKey={({ booking }) => booking.id}
      empty={{ title: t(none), text: t(`${none}_text`) }}
      skeletonRows={withoutShow ? 3 : 8}
    />
  );
}
