// An operator's own account: passkeys, password, authenticator app and sessions.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { OwnAccountView } from "~/api/internal";
import { Badge, Field, Loaded, Note } from "~/design";
import { ActButton, PageHead, Panel, When } from "../parts";
import { hasPasskeys, makePasskey } from "../passkeys";
import { api, deviceName } from "../session";
import { AuthenticatorPanel } from "./AuthenticatorPanel";
import { ACCOUNT } from "./account";

export default function AccountPage() {
  const { t } = useTranslation("console");
  const account = useQuery({
    queryKey: ACCOUNT,
    queryFn: () => api.GET("/v1/operator-account"),
  });
  const operator = account.data?.operator;
  return (
    <>
      <PageHead
        title={t("account.title")}
        lead={operator && `${operator.name} · ${t(`operators.roles.${operator.role}`)}`}
      />
      <Loaded of={account} height="20rem">
        {(view) => (
          <>
            <PasskeysPanel account={view} />
            <PasswordPanel account={view} />
            <AuthenticatorPanel account={view} />
            <SessionsPanel account={view} />
          </>
        )}
      </Loaded>
    </>
  );
}

function PasskeysPanel({ account }: { account: OwnAccountView }) {
  const { t } = useTranslation("console");
  const [name, setName] = useState(deviceName);
  const add = async () => {
    const { options } = await api.POST("/v1/operator-account/passkey-creation");
    const credential = await makePasskey(options);
    await api.POST("/v1/operator-account/passkeys", { body: { credential, name: name.trim() } });
    return t("account.added");
  };
  const canAdd = account.passkeys_available && hasPasskeys();
  return (
    <Panel
      title={t("account.passkeys")}
      lead={t("account.passkeys_text")}
      actions={
        canAdd && (
          <ActButton
            kind="primary"
            title={t("account.add_passkey")}
            verb={t("account.add_passkey")}
            disabled={name.trim() === ""}
            refetches={ACCOUNT}
            act={add}
          >
            <Field
              label={t("account.passkey_name")}
              value={name}
              maxLength={100}
              onChange={(event) => setName(event.target.value)}
            />
          </ActButton>
        )
      }
    >
      {!canAdd && <Note tone="plain">{t("account.no_passkeys_here")}</Note>}
      <ul role="list" className="console-cards">
        {account.passkeys.map((passkey) => (
          <li key={passkey.id} className="console-card console-head-line">
            <div className="console-name">
              <strong>{passkey.name}</strong>
              <span className="console-quiet">
                {t("account.last_used")}{" "}
                {passkey.last_used_at ? <When at={passkey.last_used_at} /> : t("account.never")}
              </span>
            </div>
            <ActButton
              size="small"
              title={t("account.remove_passkey", { name: passkey.name })}
              verb={t("account.remove")}
              dangerous
              refetches={ACCOUNT}
              act={async () => {
                const path = { passkey_id: passkey.id };
                await api.DELETE("/v1/operator-account/passkeys/{passkey_id}", { path });
              }}
            >
              <p>{t("account.remove_text")}</p>
            </ActButton>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function PasswordPanel({ account: { operator } }: { account: OwnAccountView }) {
  const { t } = useTranslation("console");
  const [password, setPassword] = useState("");
  const set = async () => {
    await api.PUT("/v1/operator-account/password", { body: { password } });
    setPassword("");
    return t("account.password_set");
  };
  return (
    <Panel
      title={t("login.password")}
      lead={t(operator.has_password ? "account.has_password" : "account.has_no_password")}
      actions={
        <>
          <ActButton
            title={t("account.set_password")}
            verb={t("account.set_password")}
            disabled={password.length < 12}
            refetches={ACCOUNT}
            act={set}
          >
            <Field
              label={t("account.new_password")}
              hint={t("account.password_hint")}
              type="password"
              autoComplete="new-password"
              value={password}
              maxLength={200}
              dir="ltr"
              onChange={(event) => setPassword(event.target.value)}
            />
          </ActButton>
          {operator.has_password && (
            <ActButton
              title={t("account.remove_password")}
              verb={t("account.remove_password")}
              dangerous
              refetches={ACCOUNT}
              act={async () => {
                await api.DELETE("/v1/operator-account/password");
              }}
            >
              <p>{t("account.remove_text")}</p>
            </ActButton>
          )}
        </>
      }
    />
  );
}

function SessionsPanel({ account: { sessions } }: { account: OwnAccountView }) {
  const { t } = useTranslation("console");
  return (
    <Panel title={t("account.sessions")} lead={t("account.sessions_text")}>
      <ul role="list" className="console-cards">
        {sessions.map((session) => (
          <li key={session.id} className="console-card console-head-line">
            <div className="console-name">
              <strong>
                {session.agent} {session.is_this && <Badge tone="good">{t("account.this")}</Badge>}
              </strong>
              <span className="console-quiet">
                <bdi>{session.address}</bdi> · {t("account.last_used")}{" "}
                <When at={session.last_seen_at} />
              </span>
            </div>
            {!session.is_this && (
              <ActButton
                size="small"
                title={t("account.end_title")}
                verb={t("account.end")}
                dangerous
                refetches={ACCOUNT}
                act={async () => {
                  const path = { session_id: session.id };
                  await api.DELETE("/v1/operator-account/sessions/{session_id}", { path });
                  return t("account.ended");
                }}
              >
                <p>{t("account.end_text")}</p>
              </ActButton>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
