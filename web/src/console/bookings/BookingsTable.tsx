// A table of bookings.
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { BookingRow } from "../types";
import { Cash } from "../parts/Cash";
import { DataTable, type Column } from "../parts/DataTable";
import { StateBadge } from "../parts/StateBadge";
import { saysWhen, When } from "../parts/When";
import type { Pages } from "../parts/usePages";
import { unitsInWords } from "./units";

type BookingsTableProps = {
  pages: Pages<BookingRow>;
  withoutShow?: boolean;
};

export function BookingsTable({ pages, withoutShow = false }: BookingsTableProps) {
  const { t } = useTranslation("console");
  const columns = useMemo(() => {
    const all: Column<BookingRow>[] = [
      {
        key: "who",
        title: t("bookings.who"),
        leads: true,
        cell: ({ booking, contact }) => (
          <div className="console-name">
            <Link href={`/console/bookings/${booking.id}`} className="console-row-link">
              {contact?.name ?? contact?.email ?? booking.owner}
            </Link>
            <span className="console-quiet">{contact?.name ? contact.email : null}</span>
          </div>
        ),
      },
      {
        key: "show",
        title: t("bookings.show"),
        cell: ({ resource }) => (
          <div className="console-name">
            <Link href={`/console/shows/${resource.id}`} className="console-quiet-link">
              {resource.name}
            </Link>
            {!saysWhen(resource.name, resource.starts_at, resource.time_zone) && (
              <span className="console-quiet">
                <When at={resource.starts_at} zone={resource.time_zone} />
              </span>
            )}
          </div>
        ),
      },
      {
        key: "units",
        title: t("bookings.units"),
        cell: ({ booking }) => unitsInWords(booking.lines),
      },
      {
        key: "amount",
        title: t("bookings.amount"),
        numeric: true,
        cell: ({ booking }) => <Cash of={booking.amount} />,
      },
      {
        key: "at",
        title: t("bookings.at"),
        cell: ({ booking }) => <When at={booking.confirmed_at} />,
      },
      {
        key: "state",
        title: t("bookings.state"),
        cell: ({ booking }) => <StateBadge state={booking.state} />,
      },
    ];
    return withoutShow ? all.filter((column) => column.key !== "show") : all;
  }, [t, withoutShow]);
  return (
    <DataTable
      label={t("bookings.title")}
      columns={columns}
      {...pages}
      rowKey={({ booking }) => booking.id}
      empty={
        withoutShow
          ? { title: t("bookings.none_yet"), text: t("bookings.none_yet_text") }
          : { title: t("bookings.none"), text: t("bookings.none_text") }
      }
      skeletonRows={withoutShow ? 3 : 8}
    />
  );
}
