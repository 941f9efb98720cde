// An account at which nobody pays any more, and the form that gives it another key: what was paid there is
// given back by it.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ProviderAccountView } from "~/api/schema";
import { Button, ErrorNote, Note, useToast } from "~/design";
import { api } from "../session";
import { AccountFacts } from "./AccountFacts";
import { KeyField } from "./fields";
import { NOTHING_TYPED, QUERY, renewalOf, WORDS, wrongOf, type KeysDraft } from "./keysDraft";

export function EarlierAccount({ account }: { account: ProviderAccountView }) {
  const { t } = useTranslation(WORDS);
  const title = t("renew", { account: account.account_name || account.account_id });
  return (
    <section aria-label={account.account_id}>
      {account.must_set_keys && <Note tone="bad">{t("set_again")}</Note>}
      <AccountFacts account={account} />
      <details className="payment-renew" open={account.must_set_keys || undefined}>
        <summary>{title}</summary>
        <RenewForm account={account} />
      </details>
    </section>
  );
}

function RenewForm({ account }: { account: ProviderAccountView }) {
  const { t } = useTranslation(WORDS);
  const tell = useToast();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<KeysDraft>(NOTHING_TYPED);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const wrong = wrongOf(error);
  const renew = async () => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      const body = renewalOf(draft, account);
      queries.setQueryData(QUERY, await api.PUT("/v1/payment-provider", { body }));
      setDraft(NOTHING_TYPED);
      tell(t("renewed"));
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  const common = {
    draft,
    wrong,
    hintOf: (name: keyof KeysDraft) => `renew_${name}`,
    onChange: (next: KeysDraft) => {
      setDraft(next);
      setError(null);
    },
  };
  return (
    <form
      className="mails-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void renew();
      }}
    >
      <KeyField name="secret_key" {...common} />
      <KeyField name="webhook_secret" {...common} />
      {error !== null && wrong === null && <ErrorNote error={error} />}
      <div className="mails-buttons">
        <Button type="submit" kind="quiet" busy={isBusy} disabled={draft.secret_key.trim() === ""}>
          {t("renew_save")}
        </Button>
      </div>
    </form>
  );
}
