// The bookings of a show, the latest first.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Resource } from "~/api/schema";
import { BookingsTable } from "../bookings/BookingsTable";
import { csvHref, CsvLink, Panel, usePages, withQuery } from "../parts";

const PATH = "/v1/bookings";
const SHOWN = 20;

export function ShowBookings({ show }: { show: Resource }) {
  const { t } = useTranslation("console");
  const bookings = usePages(PATH, { query: { resource_id: show.id, limit: SHOWN } }, 5000);
  return (
    <Panel
      title={t("bookings.title")}
      actions={
        <>
          <Link
            className="console-link"
            href={withQuery("/console/bookings", { resource: show.id })}
          >
            {t("bookings.search_here")}
          </Link>
          <CsvLink href={csvHref(PATH, { resource_id: show.id })} />
        </>
      }
    >
      <BookingsTable pages={bookings} withoutShow />
    </Panel>
  );
}
