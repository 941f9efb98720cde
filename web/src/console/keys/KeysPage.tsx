// API keys. A key's text is shown once, when it is created.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiKey } from "~/api/schema";
import { Button } from "~/design/Button";
import { Badge } from "~/design/Feedback";
import { Field } from "~/design/Field";
import { Icon } from "~/design/Icon";
import { useToast } from "~/design/Toasts";
import { Act } from "../parts/Act";
import { DataTable, type Column } from "../parts/DataTable";
import { PageHead } from "../parts/PageHead";
import { RadioGroup } from "../parts/RadioGroup";
import { SecretDialog } from "../parts/SecretDialog";
import { When } from "../parts/When";
import { api } from "../session";

type Kind = "publishable" | "secret" | "admin";
const KINDS: readonly Kind[] = ["publishable", "secret", "admin"];

export default function KeysPage() {
  const { t } = useTranslation("console");
  const [making, make] = useState(false);
  const [made, show] = useState<string | null>(null);
  const [revoking, revoke] = useState<ApiKey | null>(null);
  const keys = useQuery({ queryKey: ["keys"], queryFn: () => api.GET("/v1/keys") });
  const columns = useMemo<Column<ApiKey>[]>(
    () => [
      {
        key: "name",
        title: t("keys.name"),
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
      { key: "kind", title: t("keys.kind"), cell: (key) => t(`keys.kinds.${key.kind}`) },
      { key: "made", title: t("keys.made"), cell: (key) => <When at={key.created_at} /> },
      {
        key: "state",
        title: t("keys.state"),
        cell: (key) =>
          key.revoked_at === null ? (
            <Badge tone="good">{t("keys.good")}</Badge>
          ) : (
            <Badge>{t("keys.revoked")}</Badge>
          ),
      },
      {
        key: "revoke",
        title: t("keys.revoke"),
        cell: (key) =>
          key.revoked_at === null && (
            <Button kind="quiet" size="small" onClick={() => revoke(key)}>
              {t("keys.revoke")}
              <span className="visually-hidden"> {key.name}</span>
            </Button>
          ),
      },
    ],
    [t],
  );
  return (
    <>
      <PageHead
        title={t("keys.title")}
        lead={t("keys.lead")}
        actions={
          <Button onClick={() => make(true)}>
            <Icon name="plus" size={18} />
            {t("keys.make")}
          </Button>
        }
      />
      <DataTable
        label={t("keys.title")}
        columns={columns}
        rows={keys.data?.items}
        rowKey={(key) => key.id}
        error={keys.error}
        onRetry={() => void keys.refetch()}
        empty={{ title: t("keys.none") }}
      />
      <NewKey open={making} onClose={() => make(false)} onMade={show} />
      <SecretDialog
        title={t("keys.made_title")}
        text={t("keys.made_text")}
        secret={made}
        onClose={() => show(null)}
      />
      <Revoke apiKey={revoking} onClose={() => revoke(null)} />
    </>
  );
}

type NewProps = { open: boolean; onClose: () => void; onMade: (text: string) => void };

function NewKey({ open, onClose, onMade }: NewProps) {
  const { t } = useTranslation("console");
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [kind, setKind] = useState<Kind>("publishable");
  const make = async () => {
    const made = await api.POST("/v1/keys", { body: { kind, name: name.trim() } });
    setName("");
    await queries.invalidateQueries({ queryKey: ["keys"] });
    onMade(made.key);
  };
  return (
    <Act
      open={open}
      title={t("keys.make")}
      verb={t("keys.make")}
      disabled={name.trim() === ""}
      onClose={onClose}
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
    </Act>
  );
}

function Revoke({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const { t } = useTranslation("console");
  const queries = useQueryClient();
  const tell = useToast();
  const revoke = async () => {
    if (apiKey === null) return;
    await api.DELETE("/v1/keys/{key_id}", { path: { key_id: apiKey.id } });
    tell(t("keys.revoked_done", { name: apiKey.name }));
    await queries.invalidateQueries({ queryKey: ["keys"] });
  };
  return (
    <Act
      open={apiKey !== null}
      title={t("keys.revoke_title", { name: apiKey?.name ?? "" })}
      verb={t("keys.revoke")}
      dangerous
      onClose={onClose}
      act={revoke}
    >
      <p>{t("keys.revoke_text")}</p>
    </Act>
  );
}
