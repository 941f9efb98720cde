// The form that sets the keys of an account, with a trial of what was typed or of what is set.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PaymentProviderTrial, PaymentProviderView, SetPaymentProvider } from "~/api/schema";
import { Button, Note, useToast } from "~/design";
import { ActButton, Form } from "../parts";
import { SaveRefused } from "../saving/SaveRefused";
import { TypedBefore } from "../saving/TypedBefore";
import { useChange } from "../saving/useChange";
import { noFaults, useDraft } from "../saving/useDraft";
import { api, resume } from "../session";
import {
  draftOf,
  isOfTest,
  keysOf,
  QUERY,
  readProvider,
  versionNow,
  wrongOf,
  WORDS,
  type KeysDraft,
} from "./keysDraft";
import { KeyField } from "./fields";
import { dropKeys, hasSecrets, keepKeys, keptKeys, type KeysOver } from "./keptKeys";

export function KeysForm({ view: found, by }: KeysOver) {
  const { t } = useTranslation(WORDS);
  const tell = useToast();
  const queries = useQueryClient();
  const [kept, setKept] = useState(() => keptKeys({ view: found, by }));
  const [isTrying, setTrying] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const [trial, setTrial] = useState<PaymentProviderTrial | null>(null);
  const {
    began: view,
    edition,
    busy,
    ...form
  } = useChange(found, {
    stale: QUERY,
    key: QUERY,
    read: readProvider,
    send: (keys: SetPaymentProvider, now) =>
      api.PUT("/v1/payment-provider", { body: { ...keys, version: versionNow(now) } }),
    // Keys are never told: only that they are others.
    own: (of) => ({ version: versionNow(of) }),
    changeOf: (from, typed: KeysDraft) => ({ ...keysOf(typed, from), version: versionNow(from) }),
  });
  const isBusy = busy || isTrying;
  const forget = () => {
    form.forget();
    setRefused(null);
    setTrial(null);
  };
  const begin = kept?.draft ?? draftOf(view.account);
  const { draft, change, attempt } = useDraft(begin, noFaults, { edition, busy, onChange: forget });
  const drop = () => {
    dropKeys();
    setKept(null);
    forget();
  };
  const loadTheirs = () => {
    drop();
    form.loadTheirs();
    void queries.invalidateQueries({ queryKey: QUERY });
  };
  const save = () => {
    forget();
    if (!attempt()) return;
    void form.change(draft, () => {
      drop();
      void resume(); // the session says whether buyers can pay
      tell(t("saved"));
    });
  };
  const takeAway = async () => {
    form.beginAnew(
      await form.takeAway((seen) =>
        api.DELETE("/v1/payment-provider", { query: { version: versionNow(seen) } }),
      ),
    );
    drop();
  };
  const tryKey = async () => {
    forget();
    setTrying(true);
    try {
      const { secret_key: key } = keysOf(draft, view);
      const body = key === undefined ? {} : { secret_key: key };
      setTrial(await api.POST("/v1/payment-provider/test", { body }));
    } catch (problem) {
      setRefused(problem);
    } finally {
      setTrying(false);
    }
  };
  return (
    <Form className="mails-form" busy={isBusy} onSubmit={save}>
      {kept !== null && (
        <TypedBefore
          again={kept.hadSecrets && !hasSecrets(draft) ? t("typed_secrets") : null}
          isHere={kept.draft.publishable_key !== draftOf(view.account).publishable_key}
          onDiscard={() => {
            drop();
            change(draftOf(view.account));
          }}
        />
      )}
      <KeysFields
        {...{ view, draft }}
        error={form.error ?? refused}
        onAnew={loadTheirs}
        onChange={(next) => {
          change(next);
          keepKeys({ draft: next, hadSecrets: kept?.hadSecrets ?? false }, { view, by });
        }}
      />
      <div className="mails-buttons">
        <Button type="submit" busy={busy}>
          {t("save")}
        </Button>
        <Button kind="quiet" busy={isTrying} onClick={() => !isBusy && void tryKey()}>
          {t(draft.secret_key.trim() === "" ? "try" : "try_typed")}
        </Button>
        {view.account !== null && <RemoveAccount onAnew={loadTheirs} takeAway={takeAway} />}
      </div>
      <div role="status">{trial !== null && <Outcome trial={trial} />}</div>
    </Form>
  );
}

type FieldsProps = {
  view: PaymentProviderView;
  draft: KeysDraft;
  error: unknown;
  onAnew: () => void;
  onChange: (draft: KeysDraft) => void;
};

function KeysFields({ view, draft, error, onAnew, onChange }: FieldsProps) {
  const { t } = useTranslation(WORDS);
  const wrong = wrongOf(error);
  const common = {
    draft,
    wrong,
    hintOf: (name: keyof KeysDraft) => `${name}_${view.account === null ? "hint" : "kept"}`,
    onChange,
  };
  return (
    <>
      <KeyField name="secret_key" {...common} />
      {view.account?.mode === "live" && isOfTest(draft) && <Note tone="warn">{t("is_test")}</Note>}
      <KeyField name="webhook_secret" {...common} />
      <KeyField name="publishable_key" {...common} />
      {wrong === null && <SaveRefused error={error} onAnew={onAnew} />}
    </>
  );
}

function Outcome({ trial }: { trial: PaymentProviderTrial }) {
  const { t } = useTranslation(WORDS);
  if (trial.fault !== null) return <Note tone="bad">{t(`faults.${trial.fault}`)}</Note>;
  const account = trial.account_name || trial.account_id;
  return (
    <>
      <Note tone="good">{t("works", { account, mode: t(`modes.${trial.mode ?? "test"}`) })}</Note>
      {trial.can_charge === false && <Note tone="warn">{t("cannot_charge")}</Note>}
      {trial.is_other_account === true && <Note tone="warn">{t("other_account")}</Note>}
    </>
  );
}

type RemoveProps = { takeAway: () => Promise<void>; onAnew: () => void };

function RemoveAccount({ takeAway, onAnew }: RemoveProps) {
  const { t } = useTranslation(WORDS);
  return (
    <ActButton
      title={t("remove")}
      verb={t("remove")}
      dangerous
      refetches={QUERY}
      onAnew={onAnew}
      act={async () => {
        await takeAway();
        void resume();
        return t("removed");
      }}
    >
      <p>{t("remove_text")}</p>
    </ActButton>
  );
}
