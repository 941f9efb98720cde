// The events on sale: a list of cards, or a calendar. All that is asked for stands in the address.
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import { Button, EmptyState, ErrorNote, Icon, useNow } from "~/design";
import { regional } from "~/i18n/region";
import { daysFrom } from "../days";
import { useShop } from "../session";
import { Page } from "../shell/Page";
import { CalendarView } from "./CalendarView";
import { useProductions, useVenues } from "./catalog";
import { EventCard } from "./EventCard";
import { countOfFilters, filtersOf, NO_FILTERS, searchOf, spanOf, type Filters } from "./filters";
import { FilterRow } from "./FilterRow";
import { weekIn } from "../calendar/month";
import { SearchBox } from "./SearchBox";
import "./programme.css";

const MINUTE_MS = 60_000;
const EAGER = 3;
const PLACES = Array.from({ length: 6 }, (_, index) => index);
const VIEWS = ["list", "calendar"] as const;

export default function EventsPage() {
  const { t, i18n } = useTranslation("shop_events");
  const { behindMs } = useShop();
  const [path, navigate] = useLocation();
  const filters = filtersOf(useSearch());
  const now = useNow(MINUTE_MS) + behindMs;
  const venues = useVenues().data ?? [];
  const zone = venues[0]?.time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [today = ""] = daysFrom(zone, new Date(now), 1);
  const change = (part: Partial<Filters>) => {
    const search = searchOf({ ...filters, ...part });
    navigate(search === "" ? path : `${path}?${search}`);
  };
  return (
    <Page title={t("title")} className="events-page">
      <div className="events-bar" role="search">
        <SearchBox value={filters.q} onSearch={(q) => change({ q })} />
        <FilterRow filters={filters} venues={venues} today={today} onChange={change} />
        <ViewSwitch view={filters.view} onChange={(view) => change({ view, month: "" })} />
      </div>
      {filters.view === "calendar" ? (
        <CalendarView filters={filters} today={today} now={now} onChange={change} />
      ) : (
        <List
          filters={filters}
          span={spanOf(filters, today, weekIn(regional(i18n.language)).weekend)}
          onClear={() => change({ ...NO_FILTERS })}
        />
      )}
    </Page>
  );
}

type SwitchProps = { view: Filters["view"]; onChange: (view: Filters["view"]) => void };

function ViewSwitch({ view, onChange }: SwitchProps) {
  const { t } = useTranslation("shop_events");
  return (
    <div className="events-views" role="group" aria-label={t("view")}>
      {VIEWS.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === view}
          onClick={() => one !== view && onChange(one)}
        >
          <Icon name={one === "list" ? "more" : "shows"} size={18} /> {t(`views.${one}`)}
        </button>
      ))}
    </div>
  );
}

type ListProps = { filters: Filters; span: ReturnType<typeof spanOf>; onClear: () => void };

function List({ filters, span, onClear }: ListProps) {
  const { t } = useTranslation("shop_events");
  const found = useProductions(filters, span, true);
  const items = found.data?.pages.flatMap((page) => page.items);
  const isPlain = countOfFilters(filters) === 0;
  if (found.isError && items === undefined) {
    return <ErrorNote error={found.error} onRetry={() => void found.refetch()} />;
  }
  return (
    <>
      <h2 className="visually-hidden">{t("all_events")}</h2>
      <p className="visually-hidden" role="status">
        {items === undefined ? "" : t("found", { count: items.length })}
      </p>
      {items?.length === 0 ? (
        <EmptyState
          title={isPlain ? t("none_yet") : t("none")}
          actions={
            !isPlain && (
              <Button kind="quiet" onClick={onClear}>
                {t("clear")}
              </Button>
            )
          }
        >
          <p>{isPlain ? t("none_yet_text") : t("none_text")}</p>
        </EmptyState>
      ) : (
        <ul role="list" className="events-grid" data-busy={found.isPlaceholderData || undefined}>
          {items === undefined
            ? PLACES.map((place) => (
                <li key={place} aria-hidden="true">
                  <div className="events-card events-card-wait skeleton" />
                </li>
              ))
            : items.map((event, index) => (
                <li key={event.id}>
                  <EventCard event={event} isFirst={index < EAGER} />
                </li>
              ))}
        </ul>
      )}
      {found.hasNextPage && (
        <p className="events-more">
          <Button
            kind="quiet"
            busy={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {t("more")}
          </Button>
        </p>
      )}
    </>
  );
}
