// What buyers of a show are asked at checkout, its change, and the file of what they answered.
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CheckoutQuestion, Translation } from "~/api/schema";
import { Button, ErrorNote, useToast } from "~/design";
import { comma } from "~/i18n/format";
import { readTranslations, writeTranslations } from "~/translations/translated";
import { csvHref, CsvLink, Form, Panel, SaveOrBack } from "../parts";
import { TranslationFields } from "../programme/TranslationFields";
import { useOwnSession } from "../session";
import {
  type QuestionDraft,
  questionDrafts,
  questionFaults,
  questionsOf,
  TEXT_MAX,
  textsOf,
} from "./drafts";
import { QuestionFields } from "./QuestionFields";
import "../programme/programme.css";
import "./questions.css";

export type Asked = {
  questions: CheckoutQuestion[];
  /** Of all texts: those of questions are changed, the others stay. */
  translations: Translation[];
};

type Save = (asked: Asked) => Promise<unknown>;

type Props = {
  resource: string;
  asked: Asked;
  /** Saves the questions; throws its Problem. Without it they are changed elsewhere. */
  save?: Save;
  /** Where else. */
  children?: ReactNode;
};

/** Nothing for who may neither change questions nor read answers. */
export function QuestionsPanel({ resource, asked, save, children }: Props) {
  const { t } = useTranslation("console");
  const scopes = useOwnSession()?.scopes ?? [];
  const [isOpen, setOpen] = useState(false);
  const mayChange = scopes.includes("manage");
  const { questions } = asked;
  if (!mayChange && (questions.length === 0 || !scopes.includes("read"))) return null;
  return (
    <Panel
      title={t("questions.title")}
      lead={t("questions.lead")}
      actions={
        <>
          {questions.length > 0 && scopes.includes("read") && (
            <CsvLink href={csvHref(`/v1/resources/${resource}/answers`, {})} />
          )}
          {mayChange && children}
          {mayChange && save !== undefined && !isOpen && (
            <Button kind="quiet" size="small" onClick={() => setOpen(true)}>
              {t("questions.change")}
            </Button>
          )}
        </>
      }
    >
      {isOpen && save !== undefined ? (
        <QuestionsForm asked={asked} save={save} onDone={() => setOpen(false)} />
      ) : questions.length === 0 ? (
        <p className="console-quiet">{t("questions.none")}</p>
      ) : (
        <ul role="list" className="console-moves">
          {questions.map((question) => (
            <QuestionRow key={question.id} question={question} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function QuestionRow({ question }: { question: CheckoutQuestion }) {
  const { t } = useTranslation("console");
  const choices = question.choices ?? [];
  const facts = [
    t(`questions.pers.${question.per ?? "booking"}`),
    ...(question.required ? [t("questions.required")] : []),
    ...(choices.length > 0 ? [choices.join(comma())] : []),
  ];
  return (
    <li>
      <span>
        <strong>
          <bdi>{question.text}</bdi>
        </strong>
        <span className="console-quiet">{facts.join(" · ")}</span>
      </span>
    </li>
  );
}

type FormProps = { asked: Asked; save: Save; onDone: () => void };

function QuestionsForm({ asked, save: saveNow, onDone }: FormProps) {
  const { t } = useTranslation("console");
  const tell = useToast();
  // As it was when the form was opened: what somebody else changes meanwhile is a conflict.
  const [save] = useState(() => saveNow);
  const [drafts, setDrafts] = useState<readonly QuestionDraft[]>(() =>
    questionDrafts(asked.questions),
  );
  const before = textsOf(questionDrafts(asked.questions));
  const [translated, setTranslated] = useState(() => readTranslations(asked.translations, before));
  const [isTried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const faults = questionFaults(drafts);
  const typed = textsOf(drafts);
  const submit = async () => {
    setTried(true);
    if (faults.length > 0) return;
    setBusy(true);
    setError(null);
    try {
      const translations = writeTranslations(translated, typed, before, asked.translations);
      await save({ questions: questionsOf(drafts), translations });
      tell(t("questions.saved"));
      onDone();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  const fields = Object.entries(typed)
    .filter(([, text]) => text !== "")
    .map(([field, text]) => ({ field, label: text, max: TEXT_MAX }));
  return (
    <Form className="console-questions" busy={busy} onSubmit={() => void submit()}>
      <QuestionFields drafts={drafts} faults={isTried ? faults : []} onChange={setDrafts} />
      {fields.length > 0 && (
        <TranslationFields fields={fields} value={translated} onChange={setTranslated} />
      )}
      {error !== null && <ErrorNote error={error} />}
      <SaveOrBack save={t("questions.save")} busy={busy} onBack={onDone} />
    </Form>
  );
}
