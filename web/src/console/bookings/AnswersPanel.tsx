// What the buyer answered at checkout, and its correction; nothing where nothing is asked.
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BookingView } from "~/api/schema";
import { Button, ErrorNote, Field, Select, useToast } from "~/design";
import { type AskedField, askedFields, answersOf, type Typed, typedOf } from "~/questions/asked";
import { Panel } from "../parts";
import { api, useOwnSession } from "../session";

type AnswersProps = { booking: BookingView };

export function AnswersPanel({ booking }: AnswersProps) {
  const { t } = useTranslation("console");
  const [isOpen, setOpen] = useState(false);
  const maySell = useOwnSession()?.scopes.includes("sell") ?? false;
  const fields = useFields(booking);
  const found = useQuery({
    queryKey: ["booking", booking.id, "answers"],
    queryFn: () =>
      api.GET("/v1/bookings/{booking_id}/answers", { path: { booking_id: booking.id } }),
  });
  const answers = found.data?.answers ?? [];
  if (found.data === undefined || (fields.length === 0 && answers.length === 0)) return null;
  const canChange = maySell && booking.state === "confirmed" && fields.length > 0;
  const typed = typedOf(answers);
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
        <AnswersForm {...{ booking, fields, before: typed }} onDone={() => setOpen(false)} />
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
    queries: ids.map((id) => ({
      queryKey: ["resource", id],
      queryFn: () => api.GET("/v1/resources/{resource_id}", { path: { resource_id: id } }),
      staleTime: 60_000,
    })),
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
  before: Typed;
  onDone: () => void;
};

function AnswersForm({ booking, fields, before, onDone }: FormProps) {
  const { t } = useTranslation("console");
  const tell = useToast();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(before);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      const saved = await api.PUT("/v1/bookings/{booking_id}/answers", {
        path: { booking_id: booking.id },
        body: { answers: answersOf(fields, typed) },
      });
      queries.setQueryData(["booking", booking.id, "answers"], saved);
      tell(t("answers.saved"));
      onDone();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="console-stack"
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        void save();
      }}
    >
      {fields.map((field) => (
        <AnswerField
          key={field.key}
          field={field}
          value={typed[field.key] ?? ""}
          onType={(text) => setTyped({ ...typed, [field.key]: text })}
        />
      ))}
      {error !== null && <ErrorNote error={error} />}
      <div className="console-actions">
        <Button type="submit" busy={busy}>
          {t("answers.save")}
        </Button>
        <Button kind="quiet" onClick={onDone}>
          {t("act.back")}
        </Button>
      </div>
    </form>
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
