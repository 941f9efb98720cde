// The part of the checkout in which the merchant's questions are; nothing where there are none.
import { useTranslation } from "react-i18next";
import { QuestionFields } from "./QuestionFields";
import type { QuestionForm } from "./useQuestions";

export function Questions({ fields, resources, typed, missing, onType }: QuestionForm) {
  const { t } = useTranslation("shop");
  if (fields.length === 0) return null;
  return (
    <section className="card checkout-part" aria-labelledby="questions-title">
      <h2 id="questions-title">{t("questions.title")}</h2>
      <QuestionFields {...{ fields, resources, typed, missing, onType }} />
    </section>
  );
}
