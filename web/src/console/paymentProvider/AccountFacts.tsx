// What may be told of an account with Stripe.
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ProviderAccountView } from "~/api/schema";
import { WORDS } from "./keysDraft";

export function AccountFacts({ account }: { account: ProviderAccountView }) {
  const { t } = useTranslation(WORDS);
  return (
    <dl className="console-pairs">
      <Fact name={t("account_name")}>
        <bdi>{account.account_name || account.account_id}</bdi>
      </Fact>
      <Fact name={t("account_id")}>
        <code dir="ltr">{account.account_id}</code>
      </Fact>
      <Fact name={t("mode")}>{t(`modes.${account.mode}`)}</Fact>
      <Fact name={t("secret_key")}>
        <code dir="ltr">…{account.key_ends_with}</code>
      </Fact>
      {account.publishable_key !== null && (
        <Fact name={t("publishable_key")}>
          <code dir="ltr">{account.publishable_key}</code>
        </Fact>
      )}
      <Fact name={t("under_way")}>{t("under_way_count", { count: account.under_way })}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
