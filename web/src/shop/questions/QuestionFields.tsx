// The fields of what is asked: once for the booking, then ticket by ticket.
import { useTranslation } from "react-i18next";
import type { Resource } from "~/api/schema";
import { Field, Select } from "~/design";
import { seatsPlan } from "../units";
import { useUnitNames } from "../UnitList";
import { useNamed, VocabularyOf } from "../vocabulary";
import { type AskedField, groupsOf, type Typed } from "~/questions/asked";
import "./questions.css";

type Props = {
  fields: readonly AskedField[];
  resources: readonly Resource[];
  typed: Typed;
  missing: readonly string[];
  onType: (key: string, text: string) => void;
};

export function QuestionFields({ fields, resources, ...rest }: Props) {
  return groupsOf(fields).map((group) => (
    <VocabularyOf key={group[0]?.key} of={resources.find(({ id }) => id === group[0]?.resourceId)}>
      <Group fields={group} resources={resources} {...rest} />
    </VocabularyOf>
  ));
}

/** The fields of a ticket stand under its name; those of a booking under that of the section. */
function Group({ fields, resources, typed, missing, onType }: Props) {
  const inputs = (
    <div className="question-fields">
      {fields.map((field) => (
        <Question
          key={field.key}
          field={field}
          value={typed[field.key] ?? ""}
          isMissing={missing.includes(field.key)}
          onType={(text) => onType(field.key, text)}
        />
      ))}
    </div>
  );
  const [first] = fields;
  if (first === undefined || first.ticket === null) return inputs;
  return (
    <fieldset className="question-ticket">
      <legend>
        <TicketName field={first} resources={resources} />
      </legend>
      {inputs}
    </fieldset>
  );
}

type NameProps = { field: AskedField; resources: readonly Resource[] };

export function TicketName({ field, resources }: NameProps) {
  const { t } = useTranslation("shop");
  const unitNames = useUnitNames(seatsPlan(resources.find(({ id }) => id === field.resourceId)));
  const name = field.unit === null ? "" : unitNames([field.unit]);
  return name === ""
    ? t("questions.ticket", { number: field.ticket })
    : t("questions.ticket_of", { number: field.ticket, name });
}

type QuestionProps = {
  field: AskedField;
  value: string;
  isMissing: boolean;
  onType: (text: string) => void;
};

function Question({ field: { question }, value, isMissing, onType }: QuestionProps) {
  const { t } = useTranslation("shop");
  const named = useNamed();
  const text = named(question.text);
  const input = {
    label: question.required ? text : t("questions.optional", { text }),
    error: isMissing ? t("questions.missing") : null,
    required: question.required ?? false,
    value,
  };
  const choices = question.choices ?? [];
  if (choices.length === 0)
    return (
      <Field
        {...input}
        dir="auto"
        maxLength={500}
        autoComplete="off"
        onChange={({ target }) => onType(target.value)}
      />
    );
  return (
    <Select {...input} onChange={({ target }) => onType(target.value)}>
      <option value="">{t("questions.choose")}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {named(choice)}
        </option>
      ))}
    </Select>
  );
}
