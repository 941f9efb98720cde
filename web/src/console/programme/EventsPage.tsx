// All events: those with dates to come first, past ones and drafts by choice.
import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Production } from "~/api/schema";
import { ButtonLink, Icon, Select } from "~/design";
import { money, number } from "~/i18n/format";
import {
  type Column,
  DataTable,
  Filters,
  PageHead,
  SearchField,
  usePages,
  useTableState,
  When,
} from "../parts";
import { KINDS } from "./eventDraft";
import { Sold } from "./Sold";
import { State } from "./State";

const PATH = "/v1/programme/productions";
const REFRESH_MS = 8000;
const STATES = ["all", "upcoming", "past"] as const;
const DEFAULTS = { q: "", kind: "", show: "all" };
const ALLOWED = { show: STATES, kind: ["", ...KINDS] };

const COLUMNS: readonly Column<Production>[] = [
  { key: "event", leads: true, cell: (event) => <Name of={event} /> },
  {
    key: "next",
    cell: ({ next_performance: next }) =>
      next === null ? (
        <>–</>
      ) : (
        <div className="console-name">
          <When at={next.starts_at} zone={next.time_zone} />
          <span className="console-quiet">{next.venue.name}</span>
        </div>
      ),
  },
  { key: "dates", numeric: true, cell: ({ performances }) => number(performances) },
  { key: "sold", cell: (event) => <Sold of={event} /> },
  {
    key: "from",
    numeric: true,
    cell: ({ price_from: price }) => (price === null ? "–" : money(price.amount, price.currency)),
  },
  { key: "state", cell: ({ state }) => <State of={state} /> },
];

export function EventsPage() {
  const { t } = useTranslation("programme");
  const [table, change] = useTableState(DEFAULTS, ALLOWED);
  const q = useDeferredValue(table.q);
  const query = { search: q, kind: table.kind, state: table.show, limit: 50 };
  const events = usePages(PATH, { query }, REFRESH_MS);
  return (
    <>
      <PageHead
        title={t("events.title")}
        lead={t("events.lead")}
        actions={
          <>
            <ButtonLink kind="quiet" href="/console/programme/venues">
              {t("venues.title")}
            </ButtonLink>
            <ButtonLink href="/console/programme/new">{t("events.new")}</ButtonLink>
          </>
        }
      />
      <Filters>
        <SearchField
          label={t("events.search")}
          value={table.q}
          onChange={(text) => change({ q: text })}
        />
        <Select
          label={t("event.kind")}
          value={table.kind}
          onChange={({ target }) => change({ kind: target.value })}
        >
          <option value="">{t("events.any")}</option>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`kinds.${kind}`)}
            </option>
          ))}
        </Select>
        <Select
          label={t("events.show")}
          value={table.show}
          onChange={({ target }) => change({ show: target.value })}
        >
          {STATES.map((state) => (
            <option key={state} value={state}>
              {t(`events.shows.${state}`)}
            </option>
          ))}
        </Select>
      </Filters>
      <DataTable
        label={t("events.title")}
        words="programme"
        columns={COLUMNS}
        {...events}
        rowKey={({ id }) => id}
        empty={{ title: t("events.none"), text: t("events.none_text") }}
      />
    </>
  );
}

function Name({ of: event }: { of: Production }) {
  const { t } = useTranslation("programme");
  return (
    <div className="programme-name">
      {event.picture === null ? (
        <span className="programme-stamp" aria-hidden="true">
          <Icon name="shows" />
        </span>
      ) : (
        <img className="programme-stamp" src={`${event.picture}&size=card`} alt="" loading="lazy" />
      )}
      <div className="console-name">
        <Link href={`/console/programme/events/${event.id}`} className="console-row-link">
          <bdi>{event.title}</bdi>
        </Link>
        <span className="console-quiet">
          {t(`kinds.${event.kind}`)}
          {event.archived && ` · ${t("archived")}`}
        </span>
      </div>
    </div>
  );
}
