// The mail server: what is set, the form that sets it, and a mail that tries it before it is saved.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import type { ConsoleSessionView } from "~/api/internal";
import type { MailServerView } from "~/api/schema";
import { Button, Field, Loaded, Note, Select, useToast } from "~/design";
import { ActButton, Form, Panel } from "../parts";
import { SaveRefused } from "../saving/SaveRefused";
import { TypedBefore } from "../saving/TypedBefore";
import { useChange, versionOf } from "../saving/useChange";
import { noFaults, useDraft } from "../saving/useDraft";
import { api, resume } from "../session";
import { typist } from "../typed";
import { dropServer, keepServer, keptServer, type TypedOver } from "./keptServer";
import {
  encrypted,
  ENCRYPTIONS,
  fieldOf,
  type ServerChange,
  serverChange,
  serverDraftOf,
  serverOf,
  serverOwn,
  wholeServer,
  type ServerDraft,
} from "./serverDraft";
import { TryServer } from "./TryServer";

const QUERY = ["mail-server"];
const readServer = () => api.GET("/v1/mail-server");

export function ServerPanel({ session }: { session: ConsoleSessionView }) {
  const { t } = useTranslation("console");
  const by = typist(session);
  const found = useQuery({
    queryKey: QUERY,
    queryFn: readServer,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  return (
    <Panel title={t("mail_server.title")} lead={t("mail_server.lead")}>
      <Loaded of={found} height="12rem">
        {(view) =>
          view.decided_by === "environment" || view.decided_by === "demo" ? (
            <Fixed view={view} />
          ) : (
            <ServerForm key={by} {...{ view, by }} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function Fixed({ view }: { view: MailServerView }) {
  const { t } = useTranslation("console");
  return (
    <>
      <Note>{t(`mail_server.by_${view.decided_by === "demo" ? "demo" : "environment"}`)}</Note>
      {view.host !== null && (
        <>
          <p dir="ltr">
            {view.host}:{view.port} · {view.sender}
          </p>
          <TryServer />
        </>
      )}
    </>
  );
}

function ServerForm({ view: found, by }: TypedOver) {
  const { t } = useTranslation("console");
  const tell = useToast();
  const [kept, setKept] = useState(() => keptServer({ view: found, by }));
  const {
    began: view,
    edition,
    busy,
    ...form
  } = useChange(found, {
    stale: QUERY,
    key: QUERY,
    read: readServer,
    send: (change: ServerChange, now) =>
      api.PUT("/v1/mail-server", { body: wholeServer(change, now) }),
    own: serverOwn,
    changeOf: (from, typed: ServerDraft) => serverChange(from, typed),
  });
  const [refused, setRefused] = useState<unknown>(null);
  const forget = () => {
    form.forget();
    setRefused(null);
  };
  const { draft, change, attempt } = useDraft(kept?.draft ?? serverDraftOf(view), noFaults, {
    edition,
    busy,
    onChange: forget,
  });
  const drop = () => {
    dropServer();
    setKept(null);
    forget();
  };
  const loadTheirs = () => {
    drop();
    form.loadTheirs();
  };
  const save = () => {
    setRefused(null);
    if (!attempt()) return;
    void form.change(draft, () => {
      drop();
      void resume(); // the session says whether mails are sent
      tell(t("mail_server.saved"));
    });
  };
  const takeAway = async () => {
    form.beginAnew(
      await form.takeAway((seen) => api.DELETE("/v1/mail-server", { query: versionOf(seen) })),
    );
    drop();
  };
  return (
    <>
      {kept !== null && (
        <TypedBefore
          again={kept.hadPassword && draft.password === "" ? t("mail_server.typed_password") : null}
          onDiscard={() => {
            drop();
            change(serverDraftOf(view));
          }}
        />
      )}
      {view.must_set_password && <Note tone="warn">{t("mail_server.set_again")}</Note>}
      <Form className="mails-form" busy={busy} onSubmit={save}>
        <ServerFields
          {...{ view, draft }}
          error={form.error ?? refused}
          onAnew={loadTheirs}
          onChange={(next) => {
            change(next);
            const hadPassword = kept?.hadPassword ?? false;
            keepServer({ draft: next, hadPassword }, { view, by });
          }}
        />
        <div className="mails-buttons">
          <Button type="submit" busy={busy}>
            {t("mail_server.save")}
          </Button>
          {view.decided_by === "console" && (
            <RemoveServer onAnew={loadTheirs} takeAway={takeAway} />
          )}
        </div>
      </Form>
      <TryServer server={serverOf(draft, view)} onRefused={setRefused} />
    </>
  );
}

type FieldsProps = {
  view: MailServerView;
  draft: ServerDraft;
  error: unknown;
  onAnew: () => void;
  onChange: (draft: ServerDraft) => void;
};

function ServerFields({ view, draft, error, onAnew, onChange }: FieldsProps) {
  const { t } = useTranslation("console");
  const problem = error instanceof Problem ? error : null;
  const wrong = fieldOf(problem?.data["field"]);
  const common = (name: Exclude<keyof ServerDraft, "encryption">) => ({
    label: t(`mail_server.${name}`),
    dir: "ltr" as const,
    value: draft[name],
    error: wrong === name ? t(`mail_server.wrong.${name}`) : null,
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ ...draft, [name]: target.value }),
  });
  const isAtField = wrong !== null && wrong in draft;
  return (
    <>
      <Field {...common("host")} maxLength={253} autoComplete="off" spellCheck={false} />
      <Select
        label={t("mail_server.encryption")}
        value={draft.encryption}
        error={wrong === "encryption" ? t("mail_server.wrong.encryption") : null}
        onChange={({ target }) =>
          onChange(encrypted(draft, ENCRYPTIONS.find((one) => one === target.value) ?? "starttls"))
        }
      >
        {ENCRYPTIONS.map((one) => (
          <option key={one} value={one}>
            {t(`mail_server.encryptions.${one}`)}
          </option>
        ))}
      </Select>
      <Field {...common("port")} type="number" min={1} max={65535} step={1} />
      <Field {...common("username")} maxLength={320} autoComplete="off" spellCheck={false} />
      <Field
        {...common("password")}
        type="password"
        maxLength={1000}
        autoComplete="new-password"
        hint={view.has_password ? t("mail_server.password_kept") : undefined}
      />
      <Field
        {...common("sender")}
        maxLength={400}
        readOnly={view.is_sender_fixed}
        hint={t(view.is_sender_fixed ? "mail_server.sender_fixed" : "mail_server.sender_hint")}
      />
      {!isAtField && <SaveRefused error={error} onAnew={onAnew} />}
    </>
  );
}

type RemoveProps = { takeAway: () => Promise<void>; onAnew: () => void };

function RemoveServer({ takeAway, onAnew }: RemoveProps) {
  const { t } = useTranslation("console");
  return (
    <ActButton
      title={t("mail_server.remove")}
      verb={t("mail_server.remove")}
      dangerous
      refetches={QUERY}
      onAnew={onAnew}
      act={async () => {
        await takeAway();
        void resume();
        return t("mail_server.removed");
      }}
    >
      <p>{t("mail_server.remove_text")}</p>
    </ActButton>
  );
}
