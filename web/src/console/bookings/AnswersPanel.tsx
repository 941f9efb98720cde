// What the buyer answered at checkout, and its correction; nothing where nothing is asked.
import { useQueries, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { BookingAnswers, BookingView } from "~/api/schema";
import { Button, Field, Select, useToast } from "~/design";
import { type AskedField, askedFields, answersOf, type Typed, typedOf } from "~/questions/asked";
import { Form, Panel, SaveOrBack } from "../parts";
import { SaveRefused } from "../saving/SaveRefused";
import { changed } from "../saving/changes";
import { useChange, versionOf } from "../saving/useChange";
import { api, useMay } from "../session";
import { resourceQuery } from "../resources";
import { answersKey, readAnswers } from "./answers";

type AnswersProps = { booking: BookingView };

export function AnswersPanel({ booking }: AnswersProps) {
  const { t } = useTranslation("console");
  const [isOpen, setOpen] = useState(false);
  const maySell = useMay("sell");
  const fields = useFields(booking);
  const found = useQuery({
    queryKey: answersKey(booking),
    queryFn: () => readAnswers(booking),
  });
  const answers = found.data?.answers ?? [];
  if (found.data === undefined || (fields.length === 0 && answers.length === 0)) return null;
  const canChange = maySell && booking.state === "confirmed" && fields.length > 0;
  const texts = new Map(fields.map((field) => [field.question.id, field.question.text]));
  return (
    <Panel
      title={t("answers.title")}
      actions={
        canChange &&
        !isOpen && (
          <Button kind="quiet" size="small" onClick={() => setOpen(true)}>
            {t("answers.change")}
          </Button>
        )
      }
    >
      {isOpen ? (
        <AnswersForm {...{ booking, fields }} found={found.data} onDone={() => setOpen(false)} />
      ) : answers.length === 0 ? (
        <p className="console-quiet">{t("answers.none")}</p>
      ) : (
        <dl className="console-pairs">
          {answers.map(({ resource_id: resource, question, ticket, answer }) => (
            <div key={`${resource} ${question} ${ticket ?? ""}`}>
              <dt>
                <FieldName text={texts.get(question) ?? question} ticket={ticket ?? null} />
              </dt>
              <dd>
                <bdi>{answer}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}

function useFields(booking: BookingView): AskedField[] {
  const ids = [...new Set(booking.lines.map(({ resource_id: id }) => id))];
  const found = useQueries({
    queries: ids.map((id) => ({ ...resourceQuery(id), staleTime: 60_000 })),
  });
  return askedFields(
    booking.lines,
    found.flatMap(({ data }) => data ?? []),
  );
}

type NameProps = { text: string; ticket: number | null };

function FieldName({ text, ticket }: NameProps) {
  const { t } = useTranslation("console");
  return (
    <>
      <bdi>{text}</bdi>
      {ticket !== null && ` · ${t("answers.ticket", { number: ticket })}`}
    </>
  );
}

type FormProps = AnswersProps & {
  fields: readonly AskedField[];
  found: BookingAnswers;
  onDone: () => void;
};

/** What is typed in each field; of a field without an answer, nothing. */
function ownOf(fields: readonly AskedField[], { answers }: BookingAnswers): Typed {
  const typed = typedOf(answers);
  return Object.fromEntries(fields.map(({ key }) => [key, typed[key] ?? ""]));
}

function AnswersForm({ booking, fields, found, onDone }: FormProps) {
  const { t } = useTranslation("console");
  const tell = useToast();
  const own = (of: BookingAnswers) => ownOf(fields, of);
  const { began, edition, busy, error, ...form } = useChange(found, {
    stale: answersKey(booking),
    key: answersKey(booking),
    read: () => readAnswers(booking),
    send: (body: Typed, now) =>
      api.PUT("/v1/bookings/{booking_id}/answers", {
        path: { booking_id: booking.id },
        body: { answers: answersOf(fields, { ...own(now), ...body }), ...versionOf(now) },
      }),
    own,
    changeOf: (from, typed: Typed) => changed(own(from), typed),
  });
  return (
    <TypedForm
      key={edition}
      {...{ fields, busy, onDone }}
      begin={own(began)}
      refused={<SaveRefused error={error} onAnew={form.loadTheirs} />}
      onSubmit={(typed) =>
        void form.change(typed, () => {
          tell(t("answers.saved"));
          onDone();
        })
      }
    />
  );
}

type TypedProps = Pick<FormProps, "fields" | "onDone"> & {
  begin: Typed;
  busy: boolean;
  /** Why they were not saved. */
  refused: ReactNode;
  onSubmit: (typed: Typed) => void;
};

function TypedForm({ fields, begin, busy, refused, onSubmit, onDone }: TypedProps) {
  const { t } = useTranslation("console");
  const [typed, setTyped] = useState(begin);
  return (
    <Form className="console-stack" busy={busy} onSubmit={() => onSubmit(typed)}>
      {fields.map((field) => (
        <AnswerField
          key={field.key}
          field={field}
          value={typed[field.key] ?? ""}
          onType={(text) => setTyped({ ...typed, [field.key]: text })}
        />
      ))}
      {refused}
      <SaveOrBack save={t("answers.save")} busy={busy} onBack={onDone} />
    </Form>
  );
}

type FieldProps = { field: AskedField; value: string; onType: (text: string) => void };

function AnswerField({ field: { question, ticket }, value, onType }: FieldProps) {
  const { t } = useTranslation("console");
  const label = <FieldName text={question.text} ticket={ticket} />;
  const choices = question.choices ?? [];
  return choices.length === 0 ? (
    <Field
      label={label}
      value={value}
      dir="auto"
      maxLength={500}
      autoComplete="off"
      onChange={({ target }) => onType(target.value)}
    />
  ) : (
    <Select label={label} value={value} onChange={({ target }) => onType(target.value)}>
      <option value="">{t("answers.nothing")}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </Select>
  );
}
