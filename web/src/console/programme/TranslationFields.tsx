// The texts of a form in the shop's other languages, folded away until somebody wants them.
import { useTranslation } from "react-i18next";
import { Field, TextArea } from "~/design";
import { isLocale, LOCALES } from "~/i18n";
import { useMerchant } from "../useMerchant";
import { otherLanguages, type Translated, writingIn } from "~/translations/translated";

export type TextOf = {
  readonly field: string;
  readonly label: string;
  readonly max: number;
  readonly rows?: number;
};

type Props = {
  fields: readonly TextOf[];
  value: Translated;
  onChange: (value: Translated) => void;
};

export function TranslationFields({ fields, value, onChange }: Props) {
  const { t, i18n } = useTranslation("programme");
  const merchant = useMerchant();
  const wanted = otherLanguages(merchant.data?.languages, i18n.language);
  const stored = Object.keys(value).filter(isLocale);
  const languages = [...new Set([...wanted, ...stored])];
  if (languages.length === 0) return null;
  const put = (language: string, field: string, text: string) =>
    onChange({ ...value, [language]: { ...value[language], [field]: text } });
  return (
    <details className="programme-more">
      <summary>{t("translations.title")}</summary>
      <p className="console-quiet">{t("translations.text")}</p>
      {languages.map((language) => (
        <fieldset key={language} className="programme-fieldset">
          <legend lang={language}>{LOCALES[language].name}</legend>
          {fields.map(({ field, label, max, rows }) => {
            const input = {
              label: t("translations.of", { text: label, language: LOCALES[language].name }),
              value: value[language]?.[field] ?? "",
              maxLength: max,
              ...writingIn(language),
            };
            return rows === undefined ? (
              <Field
                key={field}
                {...input}
                onChange={({ target }) => put(language, field, target.value)}
              />
            ) : (
              <TextArea
                key={field}
                {...input}
                rows={rows}
                onChange={({ target }) => put(language, field, target.value)}
              />
            );
          })}
        </fieldset>
      ))}
    </details>
  );
}
