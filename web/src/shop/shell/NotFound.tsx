// The page for what does not exist.
import { useTranslation } from "react-i18next";
import { ButtonLink } from "~/design";
import { Page } from "./Page";

export type What = "page" | "show" | "booking" | "hold";

export function NotFound({ what = "page" }: { what?: What }) {
  const { t } = useTranslation("shop");
  return (
    <Page title={t(`not_found.${what}`)} className="shop-narrow">
      <p className="shop-lead">{t("not_found.text")}</p>
      <p>
        <ButtonLink href="/">{t("not_found.home")}</ButtonLink>
      </p>
    </Page>
  );
}
