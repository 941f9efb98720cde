// A legal text of the merchant, where it is written here.
import { useTranslation } from "react-i18next";
import { isLocale, LOCALES } from "~/i18n";
import { NotFound } from "../shell/NotFound";
import { Page } from "../shell/Page";
import { isLegalName, wordsIn } from "./legal";
import { Markdown } from "./Markdown";
import { useMerchant } from "./merchant";

export default function LegalPage({ name }: { name: string }) {
  const { t, i18n } = useTranslation("shop");
  const merchant = useMerchant();
  const text = isLegalName(name) ? (merchant?.[name] ?? null) : null;
  if (text === null || !isLegalName(name)) return <NotFound />;
  const language = i18n.language.split("-")[0] ?? "";
  const found = wordsIn(text, language);
  return (
    <Page title={t(`legal.${name}`)} className="shop-legal">
      {(text.edition ?? "") !== "" && (
        <p className="shop-quiet">{t("legal.edition", { edition: text.edition })}</p>
      )}
      {text.url !== null && text.url !== undefined && (
        <p>
          <a href={text.url}>{text.url}</a>
        </p>
      )}
      {found !== null && (
        <div
          className="shop-legal-text"
          lang={found.language}
          dir={isLocale(found.language) ? LOCALES[found.language].direction : undefined}
        >
          <Markdown text={found.words} />
        </div>
      )}
    </Page>
  );
}
