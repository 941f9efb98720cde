// The fields of an account's keys, with what is wrong with what was typed.
import { useTranslation } from "react-i18next";
import { Field } from "~/design";
import { WORDS, type KeysDraft } from "./keysDraft";

type KeyProps = {
  draft: KeysDraft;
  wrong: keyof KeysDraft | null;
  /** The words below a field, by its name. */
  hintOf: (name: keyof KeysDraft) => string;
  onChange: (draft: KeysDraft) => void;
};

export function SecretField(props: KeyProps & { name: "secret_key" | "webhook_secret" }) {
  return <KeyField {...props} type="password" />;
}

/** No secret: every buyer's browser gets it. */
export function PublishableField(props: KeyProps) {
  return <KeyField {...props} name="publishable_key" type="text" />;
}

type FieldProps = KeyProps & { name: keyof KeysDraft; type: "password" | "text" };

function KeyField({ name, type, draft, wrong, hintOf, onChange }: FieldProps) {
  const { t } = useTranslation(WORDS);
  return (
    <Field
      type={type}
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
