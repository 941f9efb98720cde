// The fields of an event, new or known.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Production } from "~/api/schema";
import { Field, Select, TextArea } from "~/design";
import { FormPanel } from "../parts";
import { api } from "../session";
import {
  eventChange,
  type EventDraft,
  eventDraft,
  eventFaults,
  eventOf,
  KINDS,
  performerField,
  performersOf,
} from "./eventDraft";
import { Refused } from "./Refused";
import { TranslationFields } from "./TranslationFields";
import { useBegun } from "../saving/useBegun";
import { PROGRAMME } from "./calls";
import { useSave } from "../saving/useSave";

type Props = { event: Production | null; onSaved: (saved: Production) => void };
type TextField = Exclude<keyof EventDraft, "kind" | "translated">;

export function EventForm({ event, onSaved }: Props) {
  const { t } = useTranslation("programme");
  const { began, draft, change: put, beginAnew } = useBegun(event, () => eventDraft(event));
  const [isTried, setTried] = useState(false);
  const { busy, error, save, renew } = useSave(PROGRAMME);
  const faults = eventFaults(draft);
  const change = (part: Partial<EventDraft>) => {
    renew();
    put(part);
  };
  const text = (name: TextField) => ({
    label: t(`event.${name}`),
    value: draft[name],
    error: isTried && faults.includes(name) ? t(`event.wrong.${name}`) : null,
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  const submit = () => {
    setTried(true);
    if (faults.length > 0) return;
    void save(
      (key) =>
        event === null || began === null
          ? api.POST("/v1/programme/productions", { body: eventOf(draft, null), key })
          : api.PATCH("/v1/programme/productions/{production_id}", {
              path: { production_id: event.id },
              body: eventChange(began, draft, event),
            }),
      (saved) => {
        if (event !== null) beginAnew(saved, eventDraft(saved));
        onSaved(saved);
      },
    );
  };
  return (
    <FormPanel
      title={t("event.about")}
      verb={t(event === null ? "event.make" : "save")}
      busy={busy}
      refused={<Refused error={error} />}
      onSubmit={submit}
    >
      <Field {...text("title")} maxLength={200} dir="auto" />
      <div className="programme-pair">
        <Select
          label={t("event.kind")}
          value={draft.kind}
          onChange={({ target }) => {
            const kind = KINDS.find((one) => one === target.value);
            if (kind !== undefined) change({ kind });
          }}
        >
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`kinds.${kind}`)}
            </option>
          ))}
        </Select>
        <Field {...text("series")} hint={t("event.series_hint")} maxLength={200} dir="auto" />
      </div>
      <TextArea
        {...text("performers")}
        hint={t("event.performers_hint")}
        rows={3}
        maxLength={5000}
        dir="auto"
      />
      <Field {...text("summary")} hint={t("event.summary_hint")} maxLength={300} dir="auto" />
      <TextArea {...text("description")} rows={6} maxLength={8000} dir="auto" />
      <div className="programme-pair">
        <Field
          {...text("minutes")}
          hint={t("event.minutes_hint")}
          inputMode="numeric"
          maxLength={4}
        />
        <Field {...text("age")} hint={t("event.age_hint")} inputMode="numeric" maxLength={2} />
      </div>
      <Field {...text("website")} type="url" dir="ltr" placeholder="https://" maxLength={500} />
      <Field
        {...text("pictureText")}
        hint={t("event.pictureText_hint")}
        maxLength={300}
        dir="auto"
      />
      <TranslationFields
        value={draft.translated}
        onChange={(translated) => change({ translated })}
        fields={[
          { field: "title", label: t("event.title"), max: 200 },
          { field: "series", label: t("event.series"), max: 200 },
          ...performersOf(draft).map((name) => ({
            field: performerField(name),
            label: name,
            max: 200,
          })),
          { field: "summary", label: t("event.summary"), max: 300 },
          { field: "description", label: t("event.description"), max: 4000, rows: 5 },
          { field: "pictureText", label: t("event.pictureText"), max: 300 },
        ]}
      />
    </FormPanel>
  );
}
