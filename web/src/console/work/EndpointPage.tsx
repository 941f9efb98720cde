// One webhook endpoint: its deliveries, settings, test and deletion.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { WebhookEndpoint } from "~/api/schema";
import { Button, Loaded, Tabs } from "~/design";
import { ActButton, PageHead, Panel, SecretDialog, useAction, usePages } from "../parts";
import { api } from "../session";
import { Deliveries } from "./Deliveries";
import { ReplayDialog } from "./ReplayDialog";
import { EndpointState } from "./Endpoints";

const STATES = ["", "failed", "pending", "delivered"] as const;
const REFRESH_MS = 3000;
const DAY_SECONDS = 86_400;

export default function EndpointPage({ id }: { id: string }) {
  const { t } = useTranslation("console");
  const endpoint = useQuery({
    queryKey: ["webhooks", id],
    queryFn: () => api.GET("/v1/webhook-endpoints/{endpoint_id}", { path: { endpoint_id: id } }),
  });
  const back = { href: "/console/work", label: t("work.title") };
  return (
    <>
      <PageHead
        title={endpoint.data?.description || t("webhooks.one")}
        back={back}
        lead={
          endpoint.data && (
            <span className="console-facts">
              <EndpointState endpoint={endpoint.data} />
              <code dir="ltr">{endpoint.data.url}</code>
            </span>
          )
        }
        actions={endpoint.data && <Actions endpoint={endpoint.data} />}
      />
      <Loaded of={endpoint} height="16rem">
        {(data) => <Log endpoint={data.id} />}
      </Loaded>
    </>
  );
}

function Log({ endpoint }: { endpoint: string }) {
  const { t } = useTranslation("console");
  const [state, choose] = useState("");
  const [asking, ask] = useState(false);
  const deliveries = usePages(
    "/v1/webhook-endpoints/{endpoint_id}/deliveries",
    { path: { endpoint_id: endpoint }, query: { state, limit: 50 } },
    REFRESH_MS,
  );
  return (
    <Panel
      title={t("webhooks.log")}
      actions={
        <>
          <Tabs
            label={t("webhooks.log")}
            items={STATES.map((key) => ({
              key,
              label: key === "" ? t("filters.any") : t(`states.${key}`),
            }))}
            chosen={state}
            onChoose={choose}
          />
          <Button kind="quiet" size="small" onClick={() => ask(true)}>
            {t("webhooks.replay_missing")}
          </Button>
        </>
      }
    >
      <Deliveries endpoint={endpoint} pages={deliveries} />
      {asking && <ReplayDialog endpoint={endpoint} onClose={() => ask(false)} />}
    </Panel>
  );
}

function Actions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation("console");
  const [, navigate] = useLocation();
  const { busy, run } = useAction([]);
  const [secret, show] = useState<string | null>(null);
  const path = { endpoint_id: endpoint.id };
  const test = () =>
    run(api.POST("/v1/webhook-endpoints/{endpoint_id}/test", { path }), t("webhooks.tested"));
  const enable = () =>
    run(
      api.PATCH("/v1/webhook-endpoints/{endpoint_id}", {
        path,
        body: { enabled: !endpoint.enabled },
      }),
      t(endpoint.enabled ? "webhooks.now_disabled" : "webhooks.now_enabled"),
    );
  const remove = async () => {
    await api.DELETE("/v1/webhook-endpoints/{endpoint_id}", { path });
    navigate("/console/work");
    return t("webhooks.deleted");
  };
  const rotate = async () => {
    const made = await api.POST("/v1/webhook-endpoints/{endpoint_id}/rotate", {
      path,
      body: { overlap_seconds: DAY_SECONDS },
    });
    show(made.secret);
  };
  return (
    <>
      <Button kind="quiet" busy={busy} disabled={!endpoint.enabled} onClick={test}>
        {t("webhooks.test")}
      </Button>
      <Button kind="quiet" busy={busy} onClick={enable}>
        {t(endpoint.enabled ? "webhooks.disable" : "webhooks.enable")}
      </Button>
      <ActButton title={t("webhooks.rotate_title")} verb={t("webhooks.rotate")} act={rotate}>
        <p>{t("webhooks.rotate_text")}</p>
      </ActButton>
      <ActButton
        kind="danger"
        title={t("webhooks.delete_title")}
        verb={t("webhooks.delete")}
        dangerous
        refetches={["webhooks"]}
        act={remove}
      >
        <p>{t("webhooks.delete_text")}</p>
      </ActButton>
      <SecretDialog
        title={t("webhooks.secret_title")}
        text={t("webhooks.secret_text")}
        secret={secret}
        onClose={() => show(null)}
      />
    </>
  );
}
