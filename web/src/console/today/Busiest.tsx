// The ten shows that sell most.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Loaded } from "~/design";
import type { ShowRow } from "../types";
import { Occupancy, Panel, ShowTime, wholeMoney } from "../parts";
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
      <Loaded of={shows} height="16rem">
        {({ items }) => (
          <ol role="list" className="console-busiest">
            {items.map((show) => (
              <BusyShow key={show.id} show={show} />
            ))}
            {items.length === 0 && <li className="console-quiet">{t("shows.none")}</li>}
          </ol>
        )}
      </Loaded>
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
        <ShowTime of={show} />
      </div>
      <Occupancy of={show} />
      <span className="console-busy-money tabular">
        {wholeMoney(show.revenue.amount, show.revenue.currency)}
      </span>
    </li>
  );
}
