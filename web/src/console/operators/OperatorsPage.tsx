// The people at the console: invited, given another role, a new link, or no way in any more.
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Operator } from "~/api/schema";
import { Badge, Field, Icon, Select } from "~/design";
import { comma } from "~/i18n/format";
import {
  ActButton,
  BoundsField,
  boundsOf,
  boundsText,
  type Column,
  DataTable,
  PageHead,
  RadioGroup,
  SecretDialog,
  When,
} from "../parts";
import { api } from "../session";
import { useTyped } from "../useTyped";

type Role = Operator["role"];
const ROLES: readonly Role[] = ["viewer", "door", "seller", "manager", "owner"];
const QUERY = ["operators"];
const NOBODY = { login: "", name: "", role: "seller", where: "" };

export default function OperatorsPage() {
  const { t } = useTranslation("console");
  const [link, show] = useState<string | null>(null);
  const operators = useQuery({ queryKey: QUERY, queryFn: () => api.GET("/v1/operators") });
  const columns: readonly Column<Operator>[] = [
    {
      key: "name",
      leads: true,
      cell: ({ name, login }) => (
        <div className="console-name">
          <strong>{name}</strong>
          <bdi className="console-quiet">{login}</bdi>
        </div>
      ),
    },
    { key: "role", cell: (operator) => <RoleOf operator={operator} /> },
    { key: "state", cell: ({ state }) => <StateOf state={state} /> },
    { key: "by", cell: (operator) => <LoginOf operator={operator} /> },
    {
      key: "seen",
      cell: ({ last_seen_at: seen }) => (seen ? <When at={seen} /> : t("account.never")),
    },
    { key: "change", cell: (operator) => <Changes operator={operator} onLink={show} /> },
  ];
  return (
    <>
      <PageHead
        title={t("operators.title")}
        lead={t("operators.lead")}
        actions={<Invite onLink={show} />}
      />
      <DataTable
        label={t("operators.title")}
        words="operators"
        columns={columns}
        rows={operators.data?.items}
        rowKey={({ id }) => id}
        error={operators.error}
        onRetry={() => void operators.refetch()}
        empty={{ title: t("operators.none"), text: t("operators.none_text") }}
      />
      <SecretDialog
        title={t("operators.link_title")}
        text={t("operators.link_text")}
        secret={link}
        onClose={() => show(null)}
      />
    </>
  );
}

function StateOf({ state }: { state: Operator["state"] }) {
  const { t } = useTranslation("console");
  return (
    <Badge tone={state === "active" ? "good" : "plain"}>{t(`operators.states.${state}`)}</Badge>
  );
}

function RoleOf({ operator: { role, place, resources } }: { operator: Operator }) {
  const { t } = useTranslation("console");
  const where = boundsText({ place, resources });
  return (
    <div className="console-name">
      <span>{t(`operators.roles.${role}`)}</span>
      {where && (
        <code dir="ltr" className="console-quiet">
          {where}
        </code>
      )}
    </div>
  );
}

function LoginOf({ operator }: { operator: Operator }) {
  const { t } = useTranslation("console");
  const ways = [
    operator.passkeys > 0 && t("account.passkeys"),
    operator.has_password && t("login.password"),
    operator.has_authenticator && t("account.app"),
  ].filter(Boolean);
  return <>{ways.join(comma())}</>;
}

function Invite({ onLink }: { onLink: (link: string) => void }) {
  const { t } = useTranslation("console");
  const { typed, type, run } = useTyped("operator", NOBODY);
  const { login, name, where } = typed;
  const role = ROLES.find((one) => one === typed.role) ?? "seller";
  const bounds = boundsFor(role, where);
  const invite = async () => {
    const body = { login: login.trim(), name: name.trim(), role, ...bounds };
    onLink((await run(() => api.POST("/v1/operators", { body }))).link);
  };
  return (
    <ActButton
      kind="primary"
      label={
        <>
          <Icon name="plus" size={18} />
          {t("operators.invite")}
        </>
      }
      title={t("operators.invite")}
      verb={t("operators.invite")}
      disabled={login.trim() === "" || name.trim() === "" || bounds === null}
      refetches={QUERY}
      act={invite}
    >
      <Field
        label={t("operators.name")}
        value={name}
        maxLength={100}
        onChange={(event) => type({ name: event.target.value })}
      />
      <Field
        label={t("login.name")}
        hint={t("operators.login_hint")}
        value={login}
        maxLength={100}
        dir="ltr"
        onChange={(event) => type({ login: event.target.value })}
      />
      <RadioGroup
        label={t("operators.role")}
        value={role}
        onChange={(chosen) => type({ role: chosen })}
        choices={ROLES.map((value) => ({
          value,
          title: t(`operators.roles.${value}`),
          text: t(`operators.about.${value}`),
        }))}
      />
      {role !== "owner" && (
        <BoundsField value={where} onChange={(chosen) => type({ where: chosen })} />
      )}
    </ActButton>
  );
}

type ChangesProps = { operator: Operator; onLink: (link: string) => void };

function Changes({ operator, onLink }: ChangesProps) {
  const { t } = useTranslation("console");
  const { id, name, state } = operator;
  const path = { operator_id: id };
  const isOff = state === "disabled";
  const named = (verb: string) => (
    <>
      {verb}
      <span className="visually-hidden"> {name}</span>
    </>
  );
  return (
    <div className="console-actions">
      <ChangeRole
        key={`${operator.role} ${boundsText(operator)}`}
        operator={operator}
        label={named(t("operators.change_role"))}
      />
      {!isOff && (
        <ActButton
          size="small"
          label={named(t("operators.new_link"))}
          title={t("operators.reset_title", { name })}
          verb={t("operators.new_link")}
          dangerous={state === "active"}
          refetches={QUERY}
          act={async () =>
            onLink((await api.POST("/v1/operators/{operator_id}/link", { path })).link)
          }
        >
          <p>{t(state === "active" ? "operators.reset_text" : "operators.again_text")}</p>
        </ActButton>
      )}
      <ActButton
        size="small"
        label={named(t(isOff ? "operators.enable" : "operators.disable"))}
        title={t(isOff ? "operators.enable_title" : "operators.disable_title", { name })}
        verb={t(isOff ? "operators.enable" : "operators.disable")}
        dangerous={!isOff}
        refetches={QUERY}
        act={async () => {
          const body = { state: isOff ? ("active" as const) : ("disabled" as const) };
          await api.PATCH("/v1/operators/{operator_id}", { path, body });
        }}
      >
        <p>{t(isOff ? "operators.enable_text" : "operators.disable_text")}</p>
      </ActButton>
    </div>
  );
}

type ChangeRoleProps = { operator: Operator; label: ReactNode };

/** What somebody may, and where. */
function ChangeRole({ operator, label }: ChangeRoleProps) {
  const { t } = useTranslation("console");
  const before = boundsText(operator);
  // Over what it was typed: of another role, or another place by now, it is none.
  const form = `role ${operator.id} ${operator.role} ${before}`;
  const { typed, type, run } = useTyped(form, { role: operator.role as string, where: before });
  const { where } = typed;
  const role = ROLES.find((one) => one === typed.role) ?? operator.role;
  const bounds = boundsFor(role, where);
  const isBoundAnew = role !== "owner" && where.trim() !== before;
  const isSame = role === operator.role && !isBoundAnew;
  const change = async () => {
    const path = { operator_id: operator.id };
    const isFreed = role === "owner" && before !== "";
    const rebound = isBoundAnew || isFreed ? { resources: null, place: null, ...bounds } : {};
    const body = { role, ...rebound };
    await run(() => api.PATCH("/v1/operators/{operator_id}", { path, body }));
  };
  return (
    <ActButton
      size="small"
      label={label}
      title={t("operators.role_title", { name: operator.name })}
      verb={t("operators.change_role")}
      disabled={isSame || bounds === null}
      refetches={QUERY}
      act={change}
    >
      <Select
        label={t("operators.role")}
        value={role}
        onChange={(event) => type({ role: event.target.value })}
      >
        {ROLES.map((value) => (
          <option key={value} value={value}>
            {t(`operators.roles.${value}`)}
          </option>
        ))}
      </Select>
      {role !== "owner" && (
        <BoundsField value={where} onChange={(chosen) => type({ where: chosen })} />
      )}
    </ActButton>
  );
}

/** Where somebody with this role is bound: an owner nowhere. Null: it cannot be so. */
function boundsFor(role: Role, where: string) {
  return role === "owner" ? {} : boundsOf(where);
}
