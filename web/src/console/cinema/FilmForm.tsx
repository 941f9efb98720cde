// The fields of a film, new or known.
import { useTranslation } from "react-i18next";
import { Field, TextArea } from "~/design";
import { FormPanel } from "../parts";
import { TranslationFields } from "../programme/TranslationFields";
import { type DraftForm, useDraft } from "../saving/useDraft";
import { type FilmDraft, filmFaults, wordField, wordsOf } from "./filmDraft";

type Props = DraftForm<FilmDraft> & {
  /** The languages and formats of its shows; null: the film is new. */
  shown: readonly string[] | null;
};
type TextField = Exclude<keyof FilmDraft, "translated">;

export function FilmForm({ begin, edition, shown, busy, refused, onChange, onSubmit }: Props) {
  const { t } = useTranslation("films");
  const { draft, faults, change, attempt } = useDraft(begin, filmFaults, {
    edition,
    busy,
    onChange,
  });
  const text = (name: TextField) => ({
    label: t(`film.${name}`),
    value: draft[name],
    error: faults.includes(name) ? t(`film.wrong.${name}`) : null,
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  return (
    <FormPanel
      title={t("film.about")}
      verb={t(shown === null ? "film.make" : "save")}
      busy={busy}
      refused={refused}
      onSubmit={() => attempt() && onSubmit(draft)}
    >
      <Field {...text("title")} maxLength={200} dir="auto" />
      <Field {...text("original")} maxLength={200} dir="auto" />
      <div className="programme-pair">
        <Field {...text("minutes")} inputMode="numeric" maxLength={4} />
        <Field {...text("released")} type="date" />
      </div>
      <div className="programme-pair">
        <Field {...text("rating")} maxLength={20} dir="auto" />
        <Field {...text("director")} maxLength={300} dir="auto" />
      </div>
      <TextArea {...text("genres")} hint={t("film.lines")} rows={2} dir="auto" />
      <TextArea {...text("cast")} hint={t("film.lines")} rows={3} dir="auto" />
      <Field {...text("tagline")} maxLength={300} dir="auto" />
      <TextArea {...text("synopsis")} rows={5} maxLength={4000} dir="auto" />
      <TranslationFields
        value={draft.translated}
        onChange={(translated) => change({ translated })}
        fields={[
          { field: "title", label: t("film.title"), max: 200 },
          { field: "tagline", label: t("film.tagline"), max: 300 },
          { field: "synopsis", label: t("film.synopsis"), max: 4000, rows: 5 },
          { field: "rating", label: t("film.rating"), max: 40 },
          ...wordsOf(draft, shown ?? []).map((name) => ({
            field: wordField(name),
            label: name,
            max: 40,
          })),
        ]}
      />
    </FormPanel>
  );
}
