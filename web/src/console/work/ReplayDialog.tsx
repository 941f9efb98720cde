// Says how many messages of the last day did not arrive, and sends them when asked to.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Loaded } from "~/design";
import { Act } from "../parts";
import { api } from "../session";

const DAY_MS = 86_400_000;

export function ReplayDialog({ endpoint, onClose }: { endpoint: string; onClose: () => void }) {
  const { t } = useTranslation("console");
  const [since] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
  const replay = (dry_run: boolean) =>
    api.POST("/v1/webhook-endpoints/{endpoint_id}/replay", {
      path: { endpoint_id: endpoint },
      body: { since, include_delivered: false, delivery_id: null, dry_run },
    });
  const planned = useQuery({
    queryKey: ["replay", endpoint, since],
    queryFn: () => replay(true),
  });
  const send = async () => {
    const { queued } = await replay(false);
    return t("webhooks.queued", { count: queued });
  };
  return (
    <Act
      open
      title={t("webhooks.replay_missing")}
      verb={t("webhooks.replay")}
      disabled={!planned.data?.queued}
      refetches={["pages"]}
      onClose={onClose}
      act={send}
    >
      <p>{t("webhooks.replay_text")}</p>
      <Loaded of={planned} height="3rem">
        {(data) => (
          <p>
            {t("webhooks.replay_counts", {
              failed: data.failed,
              waiting: data.waiting,
              missed: data.missed,
            })}
          </p>
        )}
      </Loaded>
    </Act>
  );
}
