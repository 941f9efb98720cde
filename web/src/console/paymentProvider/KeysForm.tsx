// The form that sets the keys of an account, with a trial of what was typed or of what is set.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PaymentProviderTrial, PaymentProviderView } from "~/api/schema";
import { Button, ErrorNote, Note, useToast } from "~/design";
import { ActButton } from "../parts";
import { api, resume } from "../session";
import { draftOf, isOfTest, keysOf, QUERY, wrongOf, WORDS, type KeysDraft } from "./keysDraft";
import { KeyField } from "./fields";

export function KeysForm({ view }: { view: PaymentProviderView }) {
  const { t } = useTranslation(WORDS);
  const tell = useToast();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(view.account));
  const [busy, setBusy] = useState<"save" | "try" | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [trial, setTrial] = useState<PaymentProviderTrial | null>(null);
  const doing = async (what: "save" | "try", act: () => Promise<void>) => {
    if (busy !== null) return;
    setBusy(what);
    setError(null);
    setTrial(null);
    try {
      await act();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(null);
    }
  };
  const save = async () => {
    const saved = await api.PUT("/v1/payment-provider", { body: keysOf(draft, view) });
    setDraft(draftOf(saved.account));
    queries.setQueryData(QUERY, saved);
    void resume(); // the session says whether buyers can pay
    tell(t("saved"));
  };
  const tryKey = async () => {
    const { secret_key: key } = keysOf(draft, view);
    const body = key === undefined ? {} : { secret_key: key };
    setTrial(await api.POST("/v1/payment-provider/test", { body }));
  };
  return (
    <form
      className="mails-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void doing("save", save);
      }}
    >
      <KeysFields
        {...{ view, draft, error }}
        onChange={(next) => {
          setDraft(next);
          setError(null);
          setTrial(null);
        }}
      />
      <div className="mails-buttons">
        <Button type="submit" busy={busy === "save"}>
          {t("save")}
        </Button>
        <Button kind="quiet" busy={busy === "try"} onClick={() => void doing("try", tryKey)}>
          {t(draft.secret_key.trim() === "" ? "try" : "try_typed")}
        </Button>
        {view.account !== null && <RemoveAccount />}
      </div>
      <div role="status">{trial !== null && <Outcome trial={trial} />}</div>
    </form>
  );
}

type FieldsProps = {
  view: PaymentProviderView;
  draft: KeysDraft;
  error: unknown;
  onChange: (draft: KeysDraft) => void;
};

function KeysFields({ view, draft, error, onChange }: FieldsProps) {
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
      {error !== null && wrong === null && <ErrorNote error={error} />}
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

function RemoveAccount() {
  const { t } = useTranslation(WORDS);
  return (
    <ActButton
      title={t("remove")}
      verb={t("remove")}
      dangerous
      refetches={QUERY}
      act={async () => {
        await api.DELETE("/v1/payment-provider");
        void resume();
        return t("removed");
      }}
    >
      <p>{t("remove_text")}</p>
    </ActButton>
  );
}
