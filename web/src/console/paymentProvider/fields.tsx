// The fields of an account's keys, with what is wrong with what was typed.
import { useTranslation } from "react-i18next";
import { Field } from "~/design";
import { WORDS, type KeysDraft } from "./keysDraft";

type KeyProps = {
  name: keyof KeysDraft;
  draft: KeysDraft;
  wrong: keyof KeysDraft | null;
  /** The words below a field, by its name. */
  hintOf: (name: keyof KeysDraft) => string;
  onChange: (draft: KeysDraft) => void;
};

/** Each but the publishable key, which every buyer's browser gets, is a secret. */
export function KeyField({ name, draft, wrong, hintOf, onChange }: KeyProps) {
  const { t } = useTranslation(WORDS);
  return (
    <Field
      type={name === "publishable_key" ? "text" : "password"}
      dir="ltr"
      label={t(name)}
      hint={t(hintOf(name))}
      value={draft[name]}
      maxLength={300}
      autoComplete="off"
      spellCheck={false}
      error={wrong === name ? t(`wrong.${name}`) : null}
      onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
    />
  );
}
