// What the buyer of a booking answered, and a form to change it as long as the booking stands.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BookingView, CheckoutAnswer, Resource } from "~/api/schema";
import { showChanged } from "~/api/showChanged";
import { Button, ErrorNote, useToast } from "~/design";
import { useShop } from "../session";
import { useNamed, VocabularyOf } from "../vocabulary";
import { QuestionFields, TicketName } from "./QuestionFields";
import { type AskedField, groupsOf, type Typed, typedOf } from "~/questions/asked";
import { useAsked } from "./useAsked";
import { useTyped } from "./useQuestions";

export function MyAnswers({ booking }: { booking: BookingView }) {
  const { t } = useTranslation("shop");
  const { api } = useShop();
  const [isChanging, setChanging] = useState(false);
  const { fields, resources } = useAsked(booking.lines);
  const found = useQuery({
    queryKey: ["booking", booking.id, "answers"],
    queryFn: () =>
      api.GET("/v1/bookings/{booking_id}/answers", { path: { booking_id: booking.id } }),
    enabled: fields.length > 0,
  });
  if (found.data === undefined || fields.length === 0) return null;
  const typed = typedOf(found.data.answers);
  const given = fields.filter(({ key }) => typed[key] !== undefined);
  const canChange = booking.state === "confirmed";
  if (!canChange && given.length === 0) return null;
  return (
    <section className="card checkout-part" aria-labelledby="answers-title">
      <h2 id="answers-title">{t("questions.answered")}</h2>
      {isChanging && canChange ? (
        <AnswerForm {...{ booking, fields, resources, typed }} onDone={() => setChanging(false)} />
      ) : (
        <>
          <AnswerList {...{ fields: given, resources, typed }} />
          {canChange && (
            <Button kind="quiet" size="small" onClick={() => setChanging(true)}>
              {t("questions.change")}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

type ListProps = { fields: AskedField[]; resources: Resource[]; typed: Typed };

function AnswerList({ fields, resources, typed }: ListProps) {
  return groupsOf(fields).map((group) => (
    <VocabularyOf key={group[0]?.key} of={resources.find(({ id }) => id === group[0]?.resourceId)}>
      <AnswersOfTicket fields={group} resources={resources} typed={typed} />
    </VocabularyOf>
  ));
}

function AnswersOfTicket({ fields, resources, typed }: ListProps) {
  const named = useNamed();
  const [first] = fields;
  return (
    <div className="question-answers">
      {first !== undefined && first.ticket !== null && (
        <h3>
          <TicketName field={first} resources={resources} />
        </h3>
      )}
      <dl>
        {fields.map(({ key, question }) => (
          <div key={key}>
            <dt>
              <bdi>{named(question.text)}</bdi>
            </dt>
            <dd>
              <bdi>{named(typed[key] ?? "")}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

type FormProps = ListProps & { booking: BookingView; onDone: () => void };

function AnswerForm({ booking, fields, resources, typed, onDone }: FormProps) {
  const { t } = useTranslation("shop");
  const { api } = useShop();
  const queries = useQueryClient();
  const tell = useToast();
  const form = useTyped(fields, () => typed);
  const saving = useMutation({
    mutationFn: (answers: CheckoutAnswer[]) =>
      api.PUT("/v1/bookings/{booking_id}/answers", {
        path: { booking_id: booking.id },
        body: { answers },
      }),
    onSuccess: async (saved) => {
      await showChanged(queries, ["booking", booking.id, "answers"], saved);
      tell(t("questions.saved"));
      onDone();
    },
    // The merchant may ask something else by now.
    onError: () => void queries.invalidateQueries({ queryKey: ["resource"] }),
  });
  return (
    <form
      className="checkout-part"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (form.check() && !saving.isPending) saving.mutate(form.answers ?? []);
      }}
    >
      <QuestionFields
        {...{ fields, resources, typed: form.typed, missing: form.missing }}
        onType={form.onType}
      />
      {saving.error !== null && <ErrorNote error={saving.error} />}
      <div className="booking-files">
        <Button type="submit" busy={saving.isPending}>
          {t("questions.save")}
        </Button>
        <Button kind="quiet" onClick={onDone}>
          {t("questions.keep")}
        </Button>
      </div>
    </form>
  );
}
