// API keys. A key's text is shown once, when it is created.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiKey } from "~/api/schema";
import { Badge, Field, Icon, useNow } from "~/design";
import { comma } from "~/i18n/format";
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
import { CalendarLinks } from "../calendars/CalendarLinks";
import { useTyped } from "../useTyped";
import { areRights, RightsFields, rightsOf, rightsTyped } from "./Rights";

type Kind = ApiKey["kind"];
const KINDS: readonly Kind[] = ["publishable", "secret", "admin", "restricted"];

const NOTHING_TYPED = { name: "", kind: "publishable", scopes: "", where: "", until: "" };

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
    { key: "may", cell: (key) => <May apiKey={key} /> },
    { key: "made", cell: (key) => <When at={key.created_at} /> },
    { key: "state", cell: (key) => <State apiKey={key} /> },
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
      <div className="console-stack-wide">
        <h2>{t("calendars.title")}</h2>
        <CalendarLinks />
      </div>
      <SecretDialog
        title={t("keys.made_title")}
        text={t("keys.made_text")}
        secret={made}
        onClose={() => show(null)}
      />
    </>
  );
}

function May({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation("console");
  if (apiKey.kind !== "restricted") return null;
  const where = apiKey.place ?? apiKey.resources?.join(", ");
  return (
    <div className="console-name">
      <span>{apiKey.scopes.map((scope) => t(`keys.scopes.${scope}`)).join(comma())}</span>
      {where && (
        <code dir="ltr" className="console-quiet">
          {where}
        </code>
      )}
    </div>
  );
}

function State({ apiKey: { revoked_at: revoked, expires_at: expires } }: { apiKey: ApiKey }) {
  const { t } = useTranslation("console");
  const now = useNow(60_000);
  const isOver = expires !== null && Date.parse(expires) <= now;
  const word = revoked !== null ? "revoked" : isOver ? "ended" : "good";
  return (
    <div className="console-name">
      <span>
        <Badge tone={word === "good" ? "good" : "plain"}>{t(`keys.${word}`)}</Badge>
      </span>
      {word === "good" && expires !== null && (
        <span className="console-quiet">
          {t("keys.expires")} <When at={expires} />
        </span>
      )}
    </div>
  );
}

function NewKey({ onMade }: { onMade: (text: string) => void }) {
  const { t } = useTranslation("console");
  const { typed, type, run } = useTyped("key", NOTHING_TYPED);
  const { name } = typed;
  const kind = KINDS.find((one) => one === typed.kind) ?? "publishable";
  const rights = rightsTyped(typed);
  const make = async () => {
    const body = { kind, name: name.trim(), ...rightsOf(kind, rights) };
    onMade((await run(() => api.POST("/v1/keys", { body }))).key);
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
      disabled={name.trim() === "" || !areRights(kind, rights)}
      refetches={["keys"]}
      act={make}
    >
      <Field
        label={t("keys.name")}
        hint={t("keys.name_hint")}
        value={name}
        maxLength={100}
        onChange={(event) => type({ name: event.target.value })}
      />
      <RadioGroup
        label={t("keys.kind")}
        value={kind}
        onChange={(chosen) => type({ kind: chosen })}
        choices={KINDS.map((value) => ({
          value,
          title: t(`keys.kinds.${value}`),
          text: t(`keys.about.${value}`),
        }))}
      />
      <RightsFields
        isRestricted={kind === "restricted"}
        rights={rights}
        onChange={({ scopes, ...others }) => type({ scopes: scopes.join(" "), ...others })}
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
