// The webhook endpoints, and a form to add one.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { WebhookEndpoint } from "~/api/schema";
import { Badge, EmptyState, Field, Icon, Loaded } from "~/design";
import { ActButton, Panel, SecretDialog } from "../parts";
import { api } from "../session";

export function Endpoints() {
  const { t } = useTranslation("console");
  const [secret, show] = useState<string | null>(null);
  const endpoints = useQuery({
    queryKey: ["webhooks"],
    queryFn: () => api.GET("/v1/webhook-endpoints"),
  });
  return (
    <Panel
      title={t("webhooks.title")}
      lead={t("webhooks.lead")}
      actions={<NewEndpoint onMade={show} />}
    >
      <Loaded of={endpoints} height="5rem">
        {(data) =>
          data.items.length === 0 ? (
            <EmptyState title={t("webhooks.none")}>
              <p>{t("webhooks.none_text")}</p>
            </EmptyState>
          ) : (
            <ul role="list" className="console-endpoints">
              {data.items.map((endpoint) => (
                <li key={endpoint.id}>
                  <Icon name="webhook" />
                  <div className="console-name">
                    <Link
                      href={`/console/work/webhooks/${endpoint.id}`}
                      className="console-row-link"
                    >
                      {endpoint.description || endpoint.url}
                    </Link>
                    <span className="console-quiet" dir="ltr">
                      {endpoint.url}
                    </span>
                  </div>
                  <EndpointState endpoint={endpoint} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <SecretDialog
        title={t("webhooks.secret_title")}
        text={t("webhooks.secret_text")}
        secret={secret}
        onClose={() => show(null)}
      />
    </Panel>
  );
}

export function EndpointState({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation("console");
  if (!endpoint.enabled) {
    const because = endpoint.disabled_because ?? "operator";
    return <Badge tone="bad">{t(`webhooks.disabled.${because}`)}</Badge>;
  }
  if (endpoint.failing_since !== null) return <Badge tone="warn">{t("webhooks.failing")}</Badge>;
  return <Badge tone="good">{t("webhooks.enabled")}</Badge>;
}

function NewEndpoint({ onMade }: { onMade: (secret: string) => void }) {
  const { t } = useTranslation("console");
  const [url, setUrl] = useState("");
  const [description, setDescription] = useState("");
  const make = async () => {
    const made = await api.POST("/v1/webhook-endpoints", {
      body: {
        url: url.trim(),
        description: description.trim(),
        enabled: true,
        types: null,
        resource_ids: null,
      },
    });
    setUrl("");
    setDescription("");
    onMade(made.secret);
  };
  return (
    <ActButton
      label={
        <>
          <Icon name="plus" size={18} />
          {t("webhooks.add")}
        </>
      }
      title={t("webhooks.add_title")}
      verb={t("webhooks.add")}
      disabled={url.trim() === ""}
      refetches={["webhooks"]}
      act={make}
    >
      <Field
        label={t("webhooks.url")}
        hint={t("webhooks.url_hint")}
        type="url"
        dir="ltr"
        placeholder="https://"
        value={url}
        maxLength={2000}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Field
        label={t("webhooks.description")}
        value={description}
        maxLength={200}
        onChange={(event) => setDescription(event.target.value)}
      />
    </ActButton>
  );
}
