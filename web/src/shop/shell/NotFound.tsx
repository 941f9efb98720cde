// The page for an address at which there is nothing.
import { useTranslation } from "react-i18next";
import { ButtonLink } from "~/design/Button";
import { Page } from "./Page";

export function NotFound({ what = "page" }: { what?: "page" | "show" | "booking" | "hold" }) {
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
