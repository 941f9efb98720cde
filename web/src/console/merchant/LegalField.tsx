// One legal text: none, an address, or words in the languages of the shop.
import { useTranslation } from "react-i18next";
import { Field, TextArea } from "~/design";
import { isLocale, LOCALES, type LocaleName } from "~/i18n";
import { RadioGroup } from "../parts";
import type { LegalDraft, LegalName } from "./draft";

type LegalFieldProps = {
  name: LegalName;
  value: LegalDraft;
  languages: readonly LocaleName[];
  error: string | null;
  onChange: (value: LegalDraft) => void;
};

export function LegalField({ name, value, languages, error, onChange }: LegalFieldProps) {
  const { t } = useTranslation("console");
  const all = Object.keys(LOCALES).filter(isLocale);
  const shown = languages.length === 0 ? all : languages;
  return (
    <div className="merchant-legal">
      <h3>{t(`merchant.${name}`)}</h3>
      <RadioGroup
        label={t("merchant.where_text", { text: t(`merchant.${name}`) })}
        value={value.is}
        onChange={(is) => onChange({ ...value, is })}
        choices={[
          { value: "none", title: t("merchant.legal_none") },
          { value: "url", title: t("merchant.legal_url") },
          { value: "texts", title: t("merchant.legal_texts") },
        ]}
      />
      {value.is === "url" && (
        <Field
          label={t("merchant.address_of", { text: t(`merchant.${name}`) })}
          type="url"
          dir="ltr"
          placeholder="https://"
          maxLength={500}
          value={value.url}
          error={error}
          onChange={({ target }) => onChange({ ...value, url: target.value })}
        />
      )}
      {value.is === "texts" &&
        shown.map((language, place) => (
          <TextArea
            key={language}
            label={t("merchant.words_in", {
              text: t(`merchant.${name}`),
              language: LOCALES[language].name,
            })}
            hint={place === 0 ? t("merchant.markdown") : null}
            error={place === 0 ? error : null}
            rows={8}
            maxLength={60_000}
            lang={language}
            dir={LOCALES[language].direction}
            value={value.texts[language] ?? ""}
            onChange={({ target }) =>
              onChange({ ...value, texts: { ...value.texts, [language]: target.value } })
            }
          />
        ))}
      {value.is !== "none" && (
        <Field
          label={t("merchant.edition_of", { text: t(`merchant.${name}`) })}
          hint={t("merchant.edition_hint")}
          maxLength={40}
          value={value.edition}
          onChange={({ target }) => onChange({ ...value, edition: target.value })}
        />
      )}
    </div>
  );
}
