// For demos: simulated buyers of this show, who queue where it is behind a waiting room, and the number of
// seats that were sold twice.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { showChanged } from "~/api/showChanged";
import { Button, ErrorNote, Icon } from "~/design";
import { number } from "~/i18n/format";
import { useShop } from "../session";
import "./rush.css";

const BUYERS = 400;
const SECONDS = 20;
const LOOK_MS = 500;
const KEY = ["demo-rush"] as const;

type DemoCrowdProps = {
  resourceId: string;
  /** It is behind a waiting room: they queue for it first. */
  isBehindRoom?: boolean;
};

export function DemoCrowd({ resourceId, isBehindRoom = false }: DemoCrowdProps) {
  const { t } = useTranslation("shop");
  const { api } = useShop();
  const queries = useQueryClient();
  const rush = useQuery({
    queryKey: KEY,
    queryFn: () => api.GET("/v1/demo/rush"),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? LOOK_MS : false),
    retry: false,
  });
  const start = useMutation({
    mutationFn: () =>
      api.POST("/v1/demo/rush", {
        body: { resource_id: resourceId, buyers: BUYERS, seconds: SECONDS },
      }),
    onSuccess: (begun) => showChanged(queries, KEY, begun),
  });
  const seen = rush.data;
  const isHere = seen !== undefined && seen.resource_id === resourceId && seen.state !== "idle";
  const isQueueing = isBehindRoom || seen?.premiere?.resource_id === resourceId;
  const isRunning = seen?.state === "running";
  return (
    <section className="show-rush" aria-labelledby="rush-title">
      <h2 id="rush-title">
        <Icon name="crowd" /> {t("rush.title")}
      </h2>
      <p className="shop-quiet">{t(isQueueing ? "rush.text_queue" : "rush.text")}</p>
      {isHere && (
        <dl className="show-rush-counts">
          {seen.waiting_room_id === null ? (
            <Count name={t("rush.arrived")} value={seen.arrived} />
          ) : (
            <Count name={t("rush.joined")} value={seen.joined} />
          )}
          {seen.waiting_room_id !== null && <Count name={t("rush.let_in")} value={seen.let_in} />}
          <Count name={t("rush.bought")} value={seen.confirmed} />
          {seen.waiting_room_id === null && <Count name={t("rush.refused")} value={seen.refused} />}
          <Count name={t("rush.twice")} value={seen.double_sold} isProof />
        </dl>
      )}
      {start.isError && <ErrorNote error={start.error} />}
      <div className="show-rush-actions">
        <Button
          kind="quiet"
          size="small"
          busy={isRunning || start.isPending}
          onClick={() => start.mutate()}
        >
          {isRunning ? t("rush.running") : t("rush.start", { count: BUYERS })}
        </Button>
        <a href="/console" target="_blank" rel="noopener" className="shop-quiet">
          {t("rush.console")}
        </a>
      </div>
      <p className="shop-quiet">{t(isQueueing ? "rush.hint_queue" : "rush.hint")}</p>
    </section>
  );
}

function Count({ name, value, isProof }: { name: string; value: number; isProof?: boolean }) {
  return (
    <div data-proof={isProof || undefined}>
      <dt>{name}</dt>
      <dd className="tabular">{number(value)}</dd>
    </div>
  );
}
