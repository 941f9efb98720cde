// All bookings, with search and filters.
import { useTranslation } from "react-i18next";
import { Button, Select } from "~/design";
import {
  csvHref,
  CsvLink,
  DateRange,
  Filters,
  PageHead,
  SearchField,
  usePages,
  useTableState,
} from "../parts";
import { dayBounds } from "../today/period";
import { BookingsTable } from "./BookingsTable";

const PATH = "/v1/bookings";
const DEFAULTS = { q: "", state: "", resource: "", from: "", to: "" };
const ALLOWED = { state: ["", "confirmed", "cancelled"] };
const REFRESH_MS = 5000;

export default function BookingsPage() {
  const { t } = useTranslation("console");
  const [table, change] = useTableState(DEFAULTS, ALLOWED);
  const params = {
    q: table.q,
    state: table.state,
    resource_id: table.resource,
    from: dayBounds(table.from)?.from,
    to: dayBounds(table.to)?.to,
  };
  const bookings = usePages(PATH, { query: { ...params, limit: 50 } }, REFRESH_MS);
  return (
    <>
      <PageHead
        title={t("bookings.title")}
        lead={t("bookings.lead")}
        actions={<CsvLink href={csvHref(PATH, params)} />}
      />
      <Filters>
        <SearchField
          label={t("bookings.search")}
          hint={t("bookings.search_hint")}
          value={table.q}
          onChange={(q) => change({ q })}
        />
        <Select
          label={t("bookings.state")}
          value={table.state}
          onChange={(event) => change({ state: event.target.value })}
        >
          <option value="">{t("filters.any")}</option>
          <option value="confirmed">{t("states.confirmed")}</option>
          <option value="cancelled">{t("states.cancelled")}</option>
        </Select>
        <DateRange from={table.from} to={table.to} onChange={change} />
      </Filters>
      {table.resource !== "" && (
        <div className="console-chips">
          <Button kind="quiet" size="small" onClick={() => change({ resource: "" })}>
            {t("bookings.of_one", {
              name:
                bookings.rows?.find((row) => row.resource.id === table.resource)?.resource.name ??
                table.resource,
            })}{" "}
            <span aria-hidden="true">✕</span>
          </Button>
        </div>
      )}
      <BookingsTable pages={bookings} />
    </>
  );
}
