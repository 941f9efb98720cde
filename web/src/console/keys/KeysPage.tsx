// API keys. A key's text is shown once, when it is created.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiKey } from "~/api/schema";
import { Badge, Field, Icon } from "~/design";
import {
  ActButton,
  type Column,
  DataTable,
  PageHead,
  RadioGroup,
  SecretDialog,
  When,
} from "../parts";
import { api } from "../session";

type Kind = "publishable" | "secret" | "admin";
const KINDS: readonly Kind[] = ["publishable", "secret", "admin"];

export default function KeysPage() {
  const { t } = useTranslation("console");
  const [made, show] = useState<string | null>(null);
  const keys = useQuery({ queryKey: ["keys"], queryFn: () => api.GET("/v1/keys") });
  const columns: readonly Column<ApiKey>[] = [
    {
      key: "name",
      leads: true,
      cell: (key) => (
        <div className="console-name">
          <strong>{key.name}</strong>
          <code dir="ltr" className="console-quiet">
            …{key.ending}
          </code>
        </div>
      ),
    },
    { key: "kind", cell: ({ kind }) => t(`keys.kinds.${kind}`) },
    { key: "made", cell: (key) => <When at={key.created_at} /> },
    {
      key: "state",
      cell: ({ revoked_at: at }) => (
        <Badge tone={at === null ? "good" : "plain"}>
          {t(at === null ? "keys.good" : "keys.revoked")}
        </Badge>
      ),
    },
    { key: "revoke", cell: (key) => key.revoked_at === null && <Revoke apiKey={key} /> },
  ];
  return (
    <>
      <PageHead title={t("keys.title")} lead={t("keys.lead")} actions={<NewKey onMade={show} />} />
      <DataTable
        label={t("keys.title")}
        words="keys"
        columns={columns}
        rows={keys.data?.items}
        rowKey={(key) => key.id}
        error={keys.error}
        onRetry={() => void keys.refetch()}
        empty={{ title: t("keys.none") }}
      />
      <SecretDialog
        title={t("keys.made_title")}
        text={t("keys.made_text")}
        secret={made}
        onClose={() => show(null)}
      />
    </>
  );
}

function NewKey({ onMade }: { onMade: (text: string) => void }) {
  const { t } = useTranslation("console");
  const [name, setName] = useState("");
  const [kind, setKind] = useState<Kind>("publishable");
  const make = async () => {
    const made = await api.POST("/v1/keys", { body: { kind, name: name.trim() } });
    setName("");
    onMade(made.key);
  };
  return (
    <ActButton
      kind="primary"
      label={
        <>
          <Icon name="plus" size={18} />
          {t("keys.make")}
        </>
      }
      title={t("keys.make")}
      verb={t("keys.make")}
      disabled={name.trim() === ""}
      refetches={["keys"]}
      act={make}
    >
      <Field
        label={t("keys.name")}
        hint={t("keys.name_hint")}
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.target.value)}
      />
      <RadioGroup
        label={t("keys.kind")}
        value={kind}
        onChange={setKind}
        choices={KINDS.map((value) => ({
          value,
          title: t(`keys.kinds.${value}`),
          text: t(`keys.about.${value}`),
        }))}
      />
    </ActButton>
  );
}

function Revoke({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const { t } = useTranslation("console");
  const revoke = async () => {
    await api.DELETE("/v1/keys/{key_id}", { path: { key_id: id } });
    return t("keys.revoked_done", { name });
  };
  return (
    <ActButton
      size="small"
      label={
        <>
          {t("keys.revoke")}
          <span className="visually-hidden"> {name}</span>
        </>
      }
      title={t("keys.revoke_title", { name })}
      verb={t("keys.revoke")}
      dangerous
      refetches={["keys"]}
      act={revoke}
    >
      <p>{t("keys.revoke_text")}</p>
    </ActButton>
  );
}
