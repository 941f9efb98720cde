// What is to be written to all who booked. It is sent only as it was shown: with how it looks, and to how
// many it goes.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { MailingPreview } from "~/api/schema";
import { Button, ErrorNote, Field, Note, Select, TextArea } from "~/design";
import { isLocale, LOCALES, type LocaleName } from "~/i18n";
import { Act } from "../parts";
import { api } from "../session";
import { MailLook } from "../mails/MailLook";
import {
  freeLanguage,
  SUBJECT_MAX,
  TEXT_MAX,
  textsOf,
  withText,
  type Draft,
  type TextDraft,
  type Words,
} from "./draft";

const LANGUAGES = Object.keys(LOCALES).filter(isLocale);

type Shown = { preview: MailingPreview; language: LocaleName };
type MailingFormProps = {
  resource: string;
  proposed: Words | null;
  refetches: readonly string[];
  onSent: () => void;
};

export function MailingForm({ resource, proposed, refetches, onSent }: MailingFormProps) {
  const { t, i18n } = useTranslation("console");
  const [draft, setDraft] = useState<Draft>(() => [
    {
      language: isLocale(i18n.language) ? i18n.language : "en",
      ...(proposed ?? { subject: "", text: "" }),
    },
  ]);
  const [shown, setShown] = useState<Shown | null>(null);
  const [isAsked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const path = { resource_id: resource };
  const change = (next: Draft) => {
    setDraft(next);
    setShown(null);
  };
  const texts = textsOf(draft);
  const look = async (language: LocaleName) => {
    if (texts === null) return;
    setBusy(true);
    setError(null);
    try {
      const body = { texts, language };
      const asked = { path, body };
      const preview = await api.POST("/v1/resources/{resource_id}/mailings/preview", asked);
      setShown({ preview, language });
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  const free = freeLanguage(draft, LANGUAGES);
  return (
    <form
      className="mails-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && draft[0] !== undefined) void look(draft[0].language);
      }}
    >
      {draft.map((one, place) => (
        <TextFields
          // The places are what there is, whatever stands in them.
          key={`text ${place}`}
          one={one}
          taken={draft.map(({ language }) => language)}
          onChange={(part) => change(withText(draft, place, part))}
          onRemove={place === 0 ? null : () => change(draft.filter((_, at) => at !== place))}
        />
      ))}
      <p className="console-quiet">{t("mailings.placeholders")}</p>
      {error !== null && <ErrorNote error={error} />}
      <div className="mails-buttons">
        <Button type="submit" kind="quiet" busy={busy} disabled={texts === null}>
          {t("mailings.look")}
        </Button>
        {free !== null && (
          <Button
            kind="bare"
            onClick={() => change([...draft, { language: free, subject: "", text: "" }])}
          >
            {t("mailings.add_language")}
          </Button>
        )}
      </div>
      {shown !== null && texts !== null && (
        <div className="mails-form">
          {draft.length > 1 && (
            <div className="mails-placeholders">
              {draft.map(({ language }) => (
                <Button
                  key={language}
                  kind="quiet"
                  size="small"
                  aria-pressed={language === shown.language}
                  onClick={() => void look(language)}
                >
                  {LOCALES[language].name}
                </Button>
              ))}
            </div>
          )}
          <MailLook mail={shown.preview.mail} language={shown.language} />
          {shown.preview.recipients === 0 ? (
            <Note>{t("mailings.nobody")}</Note>
          ) : (
            <Button onClick={() => setAsked(true)}>
              {t("mailings.send", { count: shown.preview.recipients })}
            </Button>
          )}
          <Act
            open={isAsked}
            title={t("mailings.ask")}
            verb={t("mailings.send", { count: shown.preview.recipients })}
            refetches={refetches}
            onClose={() => setAsked(false)}
            act={async (key) => {
              await api.POST("/v1/resources/{resource_id}/mailings", {
                path,
                body: { texts },
                key,
              });
              onSent();
              return t("mailings.sent_off");
            }}
          >
            <p>{t("mailings.ask_text")}</p>
          </Act>
        </div>
      )}
    </form>
  );
}

type TextFieldsProps = {
  one: TextDraft;
  taken: readonly LocaleName[];
  onChange: (part: Partial<TextDraft>) => void;
  onRemove: (() => void) | null;
};

function TextFields({ one, taken, onChange, onRemove }: TextFieldsProps) {
  const { t } = useTranslation("console");
  const common = {
    lang: one.language,
    dir: LOCALES[one.language].direction,
    required: true,
  };
  return (
    <>
      <div className="mails-which">
        <Select
          label={t("mails.language")}
          value={one.language}
          onChange={({ target }) => isLocale(target.value) && onChange({ language: target.value })}
        >
          {LANGUAGES.map((language) => (
            <option
              key={language}
              value={language}
              disabled={language !== one.language && taken.includes(language)}
            >
              {LOCALES[language].name}
            </option>
          ))}
        </Select>
        {onRemove !== null && (
          <Button kind="bare" size="small" onClick={onRemove}>
            {t("mailings.remove_language")}
          </Button>
        )}
      </div>
      <Field
        {...common}
        label={t("mails.subject")}
        maxLength={SUBJECT_MAX}
        value={one.subject}
        onChange={({ target }) => onChange({ subject: target.value })}
      />
      <TextArea
        {...common}
        label={t("mailings.text")}
        rows={7}
        maxLength={TEXT_MAX}
        value={one.text}
        onChange={({ target }) => onChange({ text: target.value })}
      />
    </>
  );
}
