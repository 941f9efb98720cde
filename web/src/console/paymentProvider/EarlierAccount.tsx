// An account at which nobody pays any more, and the form that gives it another key: what was paid there is
// given back by it.
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { PaymentProviderView, ProviderAccountView, SetPaymentProvider } from "~/api/schema";
import { Button, Note, useToast } from "~/design";
import { Form } from "../parts";
import { SaveRefused } from "../saving/SaveRefused";
import { useChange } from "../saving/useChange";
import { noFaults, useDraft } from "../saving/useDraft";
import { api } from "../session";
import { AccountFacts } from "./AccountFacts";
import { KeyField } from "./fields";
import {
  NOTHING_TYPED,
  QUERY,
  readProvider,
  renewalOf,
  versionNow,
  WORDS,
  wrongOf,
  type KeysDraft,
} from "./keysDraft";

type Props = { view: PaymentProviderView; account: ProviderAccountView };

export function EarlierAccount({ view, account }: Props) {
  const { t } = useTranslation(WORDS);
  const title = t("renew", { account: account.account_name || account.account_id });
  const renewing = useRef<HTMLDetailsElement>(null);
  return (
    <section aria-label={account.account_id}>
      {account.must_set_keys && <Note tone="bad">{t("set_again")}</Note>}
      <AccountFacts account={account} />
      <details ref={renewing} className="payment-renew" open={account.must_set_keys || undefined}>
        <summary>{title}</summary>
        <RenewForm
          {...{ view, account }}
          onRenewed={() => renewing.current?.removeAttribute("open")}
        />
      </details>
    </section>
  );
}

function RenewForm({ view, account, onRenewed }: Props & { onRenewed: () => void }) {
  const { t } = useTranslation(WORDS);
  const tell = useToast();
  const version = (of: PaymentProviderView) => versionNow(of, account.name);
  const { edition, busy, error, ...form } = useChange(view, {
    stale: QUERY,
    key: QUERY,
    read: readProvider,
    send: (keys: SetPaymentProvider, now) =>
      api.PUT("/v1/payment-provider", { body: { ...keys, version: version(now) } }),
    own: (of) => ({ version: version(of) }),
    changeOf: (from, typed: KeysDraft) => ({
      ...renewalOf(typed, account),
      version: version(from),
    }),
  });
  const { draft, change, attempt } = useDraft(NOTHING_TYPED, noFaults, {
    edition,
    busy,
    onChange: form.forget,
  });
  const wrong = wrongOf(error);
  const renew = () => {
    if (!attempt()) return;
    void form.change(draft, () => {
      onRenewed();
      tell(t("renewed"));
    });
  };
  const common = {
    draft,
    wrong,
    hintOf: (name: keyof KeysDraft) => `renew_${name}`,
    onChange: change,
  };
  return (
    <Form className="mails-form" busy={busy} onSubmit={renew}>
      <KeyField name="secret_key" {...common} />
      <KeyField name="webhook_secret" {...common} />
      {wrong === null && <SaveRefused error={error} onAnew={form.loadTheirs} />}
      <div className="mails-buttons">
        <Button type="submit" kind="quiet" busy={busy} disabled={draft.secret_key.trim() === ""}>
          {t("renew_save")}
        </Button>
      </div>
    </Form>
  );
}
