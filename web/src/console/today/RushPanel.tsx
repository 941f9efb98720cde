// The demo's rush on a show, with its result.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DemoRush } from "~/api/internal";
import { showChanged } from "~/api/showChanged";
import { Button, ButtonLink, ErrorNote, Icon, Select } from "~/design";
import { number } from "~/i18n/format";
import { useBoxOffice } from "../boxOffice";
import type { ShowRow } from "../types";
import { Panel, span } from "../parts";
import { api } from "../session";

const RUNNING_MS = 500;
const IDLE_MS = 5000;
const BUYERS = 1000;
const SHOWS = 30;
// A rush lasts well under two minutes, and its buyers want to buy until its end.
const RUSH_MS_MAX = 120_000;

export function RushPanel() {
  const office = useBoxOffice();
  return office.data?.demo ? <Rush /> : null;
}

function Rush() {
  const { t } = useTranslation("console");
  const queries = useQueryClient();
  const [chosen, choose] = useState("");
  const rush = useQuery({
    queryKey: ["rush"],
    queryFn: () => api.GET("/v1/demo/rush"),
    refetchInterval: (query) => (query.state.data?.state === "running" ? RUNNING_MS : IDLE_MS),
  });
  const shows = useQuery({
    queryKey: ["rush-shows"],
    queryFn: () =>
      api.GET("/v1/overview/resources", {
        query: {
          sort: "starts_at",
          state: "open",
          from: new Date(Date.now() + RUSH_MS_MAX).toISOString(),
          limit: SHOWS,
        },
      }),
    select: ({ items }) => withMostFreeSeats(items.filter(isOnSaleForARush)),
  });
  const target = shows.data?.find((show) => show.id === chosen) ?? shows.data?.[0];
  const begin = useMutation({
    mutationFn: (resource: string) =>
      api.POST("/v1/demo/rush", { body: { resource_id: resource, buyers: BUYERS, seconds: 15 } }),
    onSuccess: (data) => showChanged(queries, ["rush"], data),
  });
  const isRunning = rush.data?.state === "running";
  return (
    <Panel title={t("rush.title")} lead={t("rush.lead")} className="console-rush">
      {rush.data && rush.data.state !== "idle" && <RushFigures rush={rush.data} />}
      {rush.error && <ErrorNote error={rush.error} onRetry={() => void rush.refetch()} />}
      {!isRunning && (
        <>
          <Select
            label={t("rush.show")}
            value={target?.id ?? ""}
            onChange={(event) => choose(event.target.value)}
            disabled={!target}
          >
            {shows.data?.map((show) => (
              <option key={show.id} value={show.id}>
                {show.name} ({t("rush.free", { count: show.free ?? 0 })})
              </option>
            ))}
          </Select>
          <Button
            busy={begin.isPending}
            disabled={!target}
            onClick={() => target && begin.mutate(target.id)}
          >
            <Icon name="crowd" />
            {t("rush.begin", { count: BUYERS })}
          </Button>
        </>
      )}
      {rush.data?.resource_id && rush.data.state !== "idle" && (
        <ButtonLink kind="quiet" href={`/console/shows/${rush.data.resource_id}`}>
          {t(isRunning ? "rush.watch" : "rush.look")}
        </ButtonLink>
      )}
      {begin.error && <ErrorNote error={begin.error} />}
    </Panel>
  );
}

/** Whether its sale goes on until a rush that begins now is over. */
function isOnSaleForARush(show: ShowRow): boolean {
  return show.closes_at === null || Date.parse(show.closes_at) > Date.now() + RUSH_MS_MAX;
}

function withMostFreeSeats(shows: readonly ShowRow[]): ShowRow[] {
  const free = (show: ShowRow) => show.free ?? 0;
  return shows
    .filter((show) => show.units_total !== null && free(show) > 0)
    .sort((one, other) => free(other) - free(one))
    .slice(0, 10);
}

function RushFigures({ rush }: { rush: DemoRush }) {
  const { t } = useTranslation("console");
  const share = rush.buyers === 0 ? 0 : Math.min(1, rush.arrived / rush.buyers);
  const counts = [
    ["arrived", rush.arrived],
    ["granted", rush.granted],
    ["confirmed", rush.confirmed],
    ["refused", rush.refused],
  ] as const;
  return (
    <div className="console-rush-now" aria-live="off">
      <p className="console-rush-state">
        {t(rush.error === null ? `rush.${rush.state}` : `rush.${rush.error}`, {
          time: span(Math.round(rush.seconds)),
        })}
      </p>
      <progress className="console-progress" value={share} aria-label={t("rush.arrived")} />
      <dl className="console-pairs">
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt>{t(`rush.${name}`)}</dt>
            <dd className="tabular">{number(count)}</dd>
          </div>
        ))}
      </dl>
      <p className="console-verdict" data-tone={rush.double_sold === 0 ? "good" : "bad"}>
        <strong className="tabular">{number(rush.double_sold)}</strong>
        <span>{t("rush.double_sold")}</span>
      </p>
    </div>
  );
}
