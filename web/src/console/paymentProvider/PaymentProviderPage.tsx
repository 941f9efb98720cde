// Where buyers pay: the account with Stripe that is set, the form that sets it, and those of before.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { PaymentProviderView } from "~/api/schema";
import { Loaded, Note, Skeleton } from "~/design";
import { CopyText, PageHead, Panel } from "../parts";
import { setsInstallation, useOwnSession } from "../session";
import { typist } from "../typed";
import { AccountFacts } from "./AccountFacts";
import { EarlierAccount } from "./EarlierAccount";
import { KeysForm } from "./KeysForm";
import type { KeysOver } from "./keptKeys";
import { readProvider, WORDS, QUERY } from "./keysDraft";
import "../mails/mails.css";
import "./paymentProvider.css";

export default function PaymentProviderPage() {
  const { t, ready } = useTranslation(WORDS);
  const session = useOwnSession();
  if (!ready) return <Skeleton height="24rem" />;
  return (
    <>
      <PageHead title={t("title")} lead={t("lead")} />
      {session !== null && setsInstallation(session) ? (
        <Provider by={typist(session)} />
      ) : (
        <Note>{t("not_yours")}</Note>
      )}
    </>
  );
}

function Provider({ by }: { by: string }) {
  const found = useQuery({
    queryKey: QUERY,
    queryFn: readProvider,
    // What is being typed is not replaced.
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  return (
    <Loaded of={found} height="24rem">
      {(view) => (
        <>
          {view.decided_by === "environment" || view.decided_by === "demo" ? (
            <Fixed view={view} />
          ) : (
            <Free view={view} by={by} />
          )}
          {view.earlier.length > 0 && <Earlier view={view} />}
        </>
      )}
    </Loaded>
  );
}

function Fixed({ view }: { view: PaymentProviderView }) {
  const { t } = useTranslation(WORDS);
  return (
    <Panel title={t("account")}>
      <Note>{t(view.decided_by === "demo" ? "by_demo" : "by_environment")}</Note>
    </Panel>
  );
}

function Free({ view, by }: KeysOver) {
  const { t } = useTranslation(WORDS);
  const { account } = view;
  return (
    <>
      <Panel title={t("account")}>
        {account === null ? (
          <Note>{t("nobody")}</Note>
        ) : (
          <>
            {account.must_set_keys && <Note tone="bad">{t("set_again")}</Note>}
            {account.mode === "test" && <Note tone="warn">{t("is_test")}</Note>}
            <AccountFacts account={account} />
          </>
        )}
        {account !== null &&
          (account.publishable_key === null ? (
            <Note tone="warn">{t("pages_without")}</Note>
          ) : (
            <Note>{t("pages_with")}</Note>
          ))}
      </Panel>
      <Panel title={t("webhook")} lead={t("webhook_lead")}>
        <CopyText text={view.callback_url} label={t("webhook_url")} />
        <p className="console-quiet">
          {t("webhook_events")} <code dir="ltr">payment_intent.*</code>{" "}
          <code dir="ltr">refund.*</code>
        </p>
      </Panel>
      <Panel title={t("keys")} lead={t("keys_lead")}>
        <KeysForm key={by} view={view} by={by} />
      </Panel>
    </>
  );
}

function Earlier({ view }: { view: PaymentProviderView }) {
  const { t } = useTranslation(WORDS);
  return (
    <Panel title={t("earlier")} lead={t("earlier_lead")}>
      {view.earlier.map((account) => (
        <EarlierAccount key={account.name} {...{ view, account }} />
      ))}
    </Panel>
  );
}
