// What may be told of an account with Stripe.
import { useTranslation } from "react-i18next";
import type { ProviderAccountView } from "~/api/schema";
import { WORDS } from "./keysDraft";

export function AccountFacts({ account }: { account: ProviderAccountView }) {
  const { t } = useTranslation(WORDS);
  return (
    <dl className="console-pairs">
      <dt>{t("account_name")}</dt>
      <dd>
        <bdi>{account.account_name || account.account_id}</bdi>
      </dd>
      <dt>{t("account_id")}</dt>
      <dd>
        <code dir="ltr">{account.account_id}</code>
      </dd>
      <dt>{t("mode")}</dt>
      <dd>{t(`modes.${account.mode}`)}</dd>
      <dt>{t("secret_key")}</dt>
      <dd>
        <code dir="ltr">…{account.key_ends_with}</code>
      </dd>
      <dt>{t("under_way")}</dt>
      <dd>{t("under_way_count", { count: account.under_way })}</dd>
    </dl>
  );
}
