// One mail in one language: its texts, how it looks with them, a mail to try them, and back to ours.
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import type { MailTextView } from "~/api/schema";
import { Button, ErrorNote, Field, Note, TextArea, useToast } from "~/design";
import { LOCALES, type LocaleName } from "~/i18n";
import { Panel } from "../parts";
import { api } from "../session";
import { MailPreview } from "./MailPreview";
import { TryMail } from "./TryMail";
import { type Draft, draftOf, inserted, introductionHint, type TextName, TEXTS } from "./text";

const LENGTHS: Record<TextName, number> = { subject: 150, introduction: 2000, closing: 2000 };

type MailFormProps = {
  view: MailTextView;
  language: LocaleName;
  onSaved: (view: MailTextView) => void;
};

export function MailForm({ view, language, onSaved }: MailFormProps) {
  const { t } = useTranslation("console");
  const tell = useToast();
  const [draft, setDraft] = useState(() => draftOf(view));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const path = { kind: view.kind, language };
  const act = async (call: Promise<MailTextView>, told: string) => {
    setBusy(true);
    setError(null);
    try {
      const saved = await call;
      onSaved(saved);
      setDraft(draftOf(saved));
      tell(told);
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  const save = () =>
    act(api.PUT("/v1/mail-texts/{kind}/{language}", { path, body: draft }), t("mails.saved"));
  const reset = () =>
    act(api.DELETE("/v1/mail-texts/{kind}/{language}", { path }), t("mails.reset_done"));
  return (
    <div className="console-columns mails-columns">
      <Panel title={t("mails.texts")}>
        <form
          className="mails-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) void save();
          }}
        >
          <Texts {...{ view, language, draft, error }} onChange={setDraft} />
          <div className="mails-buttons">
            <Button type="submit" busy={busy}>
              {t("mails.save")}
            </Button>
            {view.text !== null && (
              <Button kind="bare" busy={busy} onClick={() => void reset()}>
                {t("mails.reset")}
              </Button>
            )}
          </div>
        </form>
        <TryMail path={path} draft={draft} />
      </Panel>
      <Panel title={t("mails.preview")}>
        <MailPreview path={path} draft={draft} />
      </Panel>
    </div>
  );
}

type TextsProps = {
  view: MailTextView;
  language: LocaleName;
  draft: Draft;
  error: unknown;
  onChange: (draft: Draft) => void;
};

function Texts({ view, language, draft, error, onChange }: TextsProps) {
  const { t } = useTranslation("console");
  const form = useRef<HTMLDivElement>(null);
  const [last, setLast] = useState<TextName>("introduction");
  const problem = error instanceof Problem ? error : null;
  const field = TEXTS.find((name) => name === problem?.data["field"]);
  const put = (name: string) => {
    const box = form.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>(
      `[name=${last}]`,
    );
    const end = draft[last].length;
    const [text, place] = inserted(
      draft[last],
      name,
      box?.selectionStart ?? end,
      box?.selectionEnd ?? end,
    );
    onChange({ ...draft, [last]: text });
    // Once the box has the new text, the cursor stands behind what was put in.
    requestAnimationFrame(() => {
      box?.focus();
      box?.setSelectionRange(place, place);
    });
  };
  const common = (name: TextName) => ({
    name,
    label: t(`mails.${name}`),
    value: draft[name],
    maxLength: LENGTHS[name],
    lang: language,
    dir: LOCALES[language].direction,
    error: field === name ? wordsOf(problem, t("mails.unknown_placeholder")) : null,
    onFocus: () => setLast(name),
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ ...draft, [name]: target.value }),
  });
  return (
    <div ref={form} className="mails-form">
      <Field
        {...common("subject")}
        placeholder={view.our_subject}
        hint={t(`mails.subject_hint.${view.kind}`, { defaultValue: "" }) || undefined}
      />
      <TextArea
        {...common("introduction")}
        rows={6}
        hint={t(`mails.introduction_${introductionHint(view.kind)}`)}
      />
      <TextArea {...common("closing")} rows={4} />
      <div className="field" role="group" aria-label={t("mails.placeholders")}>
        <span>{t("mails.placeholders")}</span>
        <div className="mails-placeholders">
          {view.placeholders.map((name) => (
            <Button key={name} kind="quiet" size="small" onClick={() => put(name)}>
              {t(`mails.placeholder.${name}`, { defaultValue: name })}
            </Button>
          ))}
        </div>
        <span className="field-hint">{t("mails.placeholders_hint")}</span>
      </div>
      {problem !== null && field === undefined && <ErrorNote error={error} />}
      {error !== null && problem === null && <ErrorNote error={error} />}
      {view.text === null && <Note>{t("mails.ours")}</Note>}
    </div>
  );
}

function wordsOf(problem: Problem | null, unknown: string): string | null {
  if (problem === null) return null;
  return problem.code === "mail_text_invalid"
    ? `${unknown} ${String(problem.data["placeholder"])}`
    : problem.message;
}
