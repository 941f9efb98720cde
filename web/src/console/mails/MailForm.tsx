// One mail in one language: its texts, how it looks with them, a mail to try them, and back to ours.
// Texts that somebody else has changed meanwhile are told of before yours take their place.
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import type { MailTextView } from "~/api/schema";
import { Button, Field, Note, TextArea, useToast } from "~/design";
import { LOCALES, type LocaleName } from "~/i18n";
import { Form, Panel } from "../parts";
import { SaveRefused } from "../saving/SaveRefused";
import { changed } from "../saving/changes";
import { useChange, versionOf } from "../saving/useChange";
import { noFaults, useDraft } from "../saving/useDraft";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { MAIL_TEXTS, readMailText } from "./calls";
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
  const path = { kind: view.kind, language };
  const { began, edition, busy, error, ...form } = useChange(view, {
    stale: MAIL_TEXTS,
    key: [...MAIL_TEXTS, view.kind, language],
    read: () => readMailText(view.kind, language),
    send: (body: Partial<Draft>, now) =>
      api.PUT("/v1/mail-texts/{kind}/{language}", {
        path,
        body: { ...draftOf(now), ...body, ...versionOf(now) },
      }),
    own: draftOf,
    changeOf: (from, draft: Draft) => changed(draftOf(from), draft),
  });
  return (
    <Writing
      {...{ view, language, edition, busy, error }}
      begin={draftOf(began)}
      onAnew={form.loadTheirs}
      onSave={(draft) =>
        void form.change(draft, (saved) => {
          onSaved(saved);
          tell(t("mails.saved"));
        })
      }
      onTakeAway={() =>
        form.takeAway((seen) =>
          api.DELETE("/v1/mail-texts/{kind}/{language}", { path, query: versionOf(seen) }),
        )
      }
      onReset={(saved) => {
        form.beginAnew(saved);
        onSaved(saved);
        tell(t("mails.reset_done"));
      }}
    />
  );
}

type WritingProps = {
  view: MailTextView;
  language: LocaleName;
  begin: Draft;
  edition: number;
  busy: boolean;
  error: unknown;
  onAnew: () => void;
  onSave: (draft: Draft) => void;
  onTakeAway: () => Promise<MailTextView>;
  onReset: (saved: MailTextView) => void;
};

function Writing({ view, language, begin, edition, ...saving }: WritingProps) {
  const { t } = useTranslation("console");
  const resetting = useSave(MAIL_TEXTS);
  const busy = saving.busy || resetting.busy;
  const { draft, change, attempt } = useDraft(begin, noFaults, { edition, busy });
  const path = { kind: view.kind, language };
  return (
    <div className="console-columns mails-columns">
      <Panel title={t("mails.texts")}>
        <Form
          className="mails-form"
          busy={busy}
          onSubmit={() => {
            resetting.forget();
            if (attempt()) saving.onSave(draft);
          }}
        >
          <Texts
            {...{ view, language, draft }}
            error={resetting.error ?? saving.error}
            onAnew={() => {
              resetting.forget();
              saving.onAnew();
            }}
            onChange={change}
          />
          <div className="mails-buttons">
            <Button type="submit" busy={busy}>
              {t("mails.save")}
            </Button>
            {view.text !== null && (
              <Button
                kind="bare"
                busy={busy}
                onClick={() => attempt() && void resetting.save(saving.onTakeAway, saving.onReset)}
              >
                {t("mails.reset")}
              </Button>
            )}
          </div>
        </Form>
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
  onAnew: () => void;
  onChange: (part: Partial<Draft>) => void;
};

function Texts({ view, language, draft, error, onAnew, onChange }: TextsProps) {
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
    onChange({ [last]: text });
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
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
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
      {field === undefined && <SaveRefused error={error} onAnew={onAnew} />}
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
