// The ten shows that sell most.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ErrorNote, Skeleton } from "~/design/Feedback";
import type { ShowRow } from "../types";
import { saysWhen, When } from "../parts/When";
import { Panel } from "../parts/PageHead";
import { Occupancy } from "../parts/Occupancy";
import { wholeMoney } from "../parts/sums";
import { api } from "../session";

const COUNT = 10;
const REFRESH_MS = 4000;

export function Busiest() {
  const { t } = useTranslation("console");
  const shows = useQuery({
    queryKey: ["busiest"],
    queryFn: () => api.GET("/v1/overview/resources", { query: { sort: "sold", limit: COUNT } }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Panel
      title={t("busiest.title")}
      actions={
        <Link href="/console/shows?sort=sold" className="console-link">
          {t("busiest.all")}
        </Link>
      }
    >
      {shows.error && !shows.data ? (
        <ErrorNote error={shows.error} onRetry={() => void shows.refetch()} />
      ) : (
        <ol role="list" className="console-busiest">
          {shows.data?.items.map((show) => <BusyShow key={show.id} show={show} />) ??
            Array.from({ length: 5 }, (_, at) => (
              <li key={at}>
                <Skeleton height="2.5rem" />
              </li>
            ))}
          {shows.data?.items.length === 0 && <li className="console-quiet">{t("shows.none")}</li>}
        </ol>
      )}
    </Panel>
  );
}

function BusyShow({ show }: { show: ShowRow }) {
  return (
    <li>
      <div className="console-busy-name">
        <Link href={`/console/shows/${show.id}`} className="console-row-link">
          {show.name}
        </Link>
        {!saysWhen(show.name, show.starts_at, show.time_zone) && (
          <span className="console-quiet">
            <When at={show.starts_at} zone={show.time_zone} />
          </span>
        )}
      </div>
      <Occupancy
        sold={show.sold}
        held={show.held}
        blocked={show.blocked}
        total={show.units_total}
      />
      <span className="console-busy-money tabular">
        {wholeMoney(show.revenue.amount, show.revenue.currency)}
      </span>
    </li>
  );
}
