// What the names of the room are called in other languages: a language is chosen, and each name that
// buyers see has a field.
import { useMemo, useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useMerchant } from "~/console/useMerchant";
import { Button, Field } from "~/design";
import { languageName, LETTERS_MAX, otherLanguages, writingIn } from "~/translations/translated";
import { useEditor } from "../context";
import {
  isSame,
  isTag,
  LANGUAGES_MAX,
  languagesOf,
  namesOf,
  setWord,
  wordOf,
  type Names,
} from "../document/translations";
import { Choice, Group, TextInput } from "./fields";

/** A car park has thousands of names; a list of them helps nobody. */
const NAMES_MAX = 200;
const OTHER = "";

export function Translations() {
  const { t, plan } = useEditor();
  const groups = useMemo(() => namesOf(plan), [plan]);
  const { languages, add } = useLanguages();
  const [chosen, choose] = useState<string | null>(null);
  const language = chosen ?? languagesOf(plan)[0] ?? languages[0] ?? OTHER;
  if (groups.length === 0) return <p className="editor-text">{t("translation.empty")}</p>;
  return (
    <div className="editor-translations">
      <p className="editor-text">{t("translation.text")}</p>
      <LanguageChoice language={language} languages={languages} onChoose={choose} />
      {language === OTHER ? (
        <OtherLanguage
          onAdd={(tag) => {
            choose(languages.find((one) => isSame(one, tag)) ?? tag);
            add(tag);
          }}
        />
      ) : (
        groups.map((names) => (
          <Words
            key={names.kind}
            names={names}
            language={language}
            // From then on it is the chosen one, also when its last word is taken away.
            onWrite={() => choose(language)}
          />
        ))
      )}
    </div>
  );
}

/** Those of the shop but its first, in which names are typed, those that the room has already, and
 * what was added here. */
function useLanguages() {
  const { i18n } = useTranslation("editor");
  const { plan } = useEditor();
  const merchant = useMerchant();
  const [added, setAdded] = useState<readonly string[]>([]);
  const own = languagesOf(plan);
  const wanted = [...otherLanguages(merchant.data?.languages, i18n.language), ...added];
  const spelled = wanted.map((one) => own.find((other) => isSame(one, other)) ?? one);
  const languages = [...new Set([...spelled, ...own])];
  return { languages, add: (tag: string) => setAdded([...added, tag]) };
}

type ChoiceProps = {
  language: string;
  languages: readonly string[];
  onChoose: (language: string) => void;
};

function LanguageChoice({ language, languages, onChoose }: ChoiceProps) {
  const { t, i18n } = useTranslation("editor");
  const { plan } = useEditor();
  const isFull = languagesOf(plan).length >= LANGUAGES_MAX;
  const shown = isFull ? languagesOf(plan) : languages;
  const options = shown.map((one) => ({ value: one, label: languageName(one, i18n.language) }));
  if (!isFull) options.push({ value: OTHER, label: t("translation.other") });
  return (
    <Choice
      label={t("translation.language")}
      value={language}
      options={options}
      onChange={onChoose}
    />
  );
}

function OtherLanguage({ onAdd }: { onAdd: (tag: string) => void }) {
  const { t } = useTranslation("editor");
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const tag = typed.trim();
    if (isTag(tag)) onAdd(tag);
    else setWrong(true);
  };
  return (
    <form className="editor-language" onSubmit={submit}>
      <Field
        label={t("translation.tag")}
        className="editor-field"
        value={typed}
        dir="ltr"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        hint={t("translation.tag_hint")}
        error={isWrong ? t("translation.tag_wrong") : undefined}
        onChange={({ target }) => {
          setTyped(target.value);
          setWrong(false);
        }}
      />
      <Button kind="quiet" size="small" type="submit">
        {t("translation.add")}
      </Button>
    </form>
  );
}

type WordsProps = { names: Names; language: string; onWrite: () => void };

function Words({ names, language, onWrite }: WordsProps) {
  const { t, i18n } = useTranslation("editor");
  const { plan, change } = useEditor();
  const { kind, texts } = names;
  const rest = texts.length - NAMES_MAX;
  return (
    <Group title={t(`translation.${kind}`)}>
      {texts.slice(0, NAMES_MAX).map((text) => (
        <TextInput
          key={`${language} ${text}`}
          label={t("translation.of", { text, language: languageName(language, i18n.language) })}
          value={wordOf(plan, language, text)}
          isNeeded={false}
          most={LETTERS_MAX}
          writing={writingIn(language)}
          onChange={(word) => {
            onWrite();
            change(
              "translation",
              (doc) => setWord(doc, language, text, word),
              `translation ${language} ${text}`,
            );
          }}
        />
      ))}
      {rest > 0 && <p className="editor-text">{t("translation.more", { count: rest })}</p>}
    </Group>
  );
}
