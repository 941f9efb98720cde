// A list of fields: name, type, whether it is needed, meaning, words, limits, default; below it the
// fields of the objects that it is made of, opened on demand, and the choices of a union.
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Icon } from "~/design";
import { exampleOf } from "../book/examples";
import type { BookField } from "../book/fields";
import { componentOf, optionsOf, resolved, type Schema, type Schemas } from "../book/openapi";
import { limitsOf, typeOf, wordsOf } from "../book/types";
import { useBook } from "../useBook";
import { Inline, Prose } from "./Prose";

const DEPTH_MAX = 4;

type FieldsProps = {
  fields: readonly BookField[];
  label: string;
  depth?: number;
  /** Whether fields are what an answer has: nothing is needed there. */
  isAnswer?: boolean;
};

export function Fields({ fields, label, depth = 0, isAnswer = false }: FieldsProps) {
  return (
    <ul role="list" className="docs-fields" aria-label={label}>
      {fields.map((field) => (
        <FieldRow key={field.name} field={field} depth={depth} isAnswer={isAnswer} />
      ))}
    </ul>
  );
}

type RowProps = { field: BookField; depth: number; isAnswer: boolean };

function FieldRow({ field, depth, isAnswer }: RowProps) {
  const { t } = useTranslation("docs");
  const { schemas } = useBook();
  const { name, schema, isNeeded, meaning, standard } = field;
  return (
    <li className="docs-field" id={depth === 0 && !isAnswer ? `field-${name}` : undefined}>
      <p className="docs-field-head">
        <code className="docs-field-name">{name}</code>
        <TypeWords schema={schema} />
        {isNeeded && !isAnswer && <span className="docs-needed">{t("needed")}</span>}
      </p>
      {meaning !== "" && (
        <p>
          <Inline text={meaning} />
        </p>
      )}
      <Facts schema={schema} name={name} standard={standard} isAnswer={isAnswer} />
      {depth < DEPTH_MAX && (
        <Inner schema={schema} schemas={schemas} depth={depth} isAnswer={isAnswer} />
      )}
    </li>
  );
}

export function TypeWords({ schema }: { schema: Schema }) {
  const { schemas } = useBook();
  return (
    <span className="docs-type">
      {typeOf(schema, schemas).map(({ text, object }, place) =>
        object === null ? (
          text
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the same object may be named twice
          <Link key={place} href={`/objects/${object}`}>
            {text}
          </Link>
        ),
      )}
    </span>
  );
}

type FactsProps = { schema: Schema; name: string; standard: string | null; isAnswer: boolean };

function Facts({ schema, name, standard, isAnswer }: FactsProps) {
  const { t } = useTranslation("docs");
  const { schemas } = useBook();
  const words = wordsOf(schema, schemas);
  const limits = limitsOf(schema);
  const example = words.length > 0 ? undefined : simpleExample(schema, schemas, name);
  const isEmpty = words.length + limits.length === 0 && standard === null && example === undefined;
  if (isEmpty) return null;
  return (
    <dl className="docs-facts">
      {words.length > 0 && <Fact name={t("words")} values={words} />}
      {limits.length > 0 && !isAnswer && <Fact name={t("limits")} values={limits} />}
      {standard !== null && <Fact name={t("default")} values={[standard]} />}
      {example !== undefined && <Fact name={t("example")} values={[example]} />}
    </dl>
  );
}

function Fact({ name, values }: { name: string; values: readonly string[] }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {values.map((value) => (
          <code key={value} dir="ltr">
            {value}
          </code>
        ))}
      </dd>
    </div>
  );
}

/** An example in one word; of objects and lists, whose examples are long, none. */
function simpleExample(schema: Schema, schemas: Schemas, name: string): string | undefined {
  const example = exampleOf(schema, schemas, name);
  return typeof example === "string" && !example.startsWith("…") ? example : undefined;
}

/** The objects that a field is made of: one, or one of several, told apart by a field of theirs. */
function Inner({ schema, schemas, depth, isAnswer }: InnerProps) {
  const objects = objectsOf(schema, schemas);
  if (objects.length === 0) return null;
  return <Opened names={objects} depth={depth} isAnswer={isAnswer} />;
}
type InnerProps = { schema: Schema; schemas: Schemas; depth: number; isAnswer: boolean };

/** The names of the objects with fields that are in a place. */
export function objectsOf(schema: Schema, schemas: Schemas): readonly string[] {
  const name = componentOf(schema);
  const found = resolved(schema, schemas);
  if (name !== null && found.properties !== undefined) return [name];
  const options = optionsOf(found);
  if (options.length > 1 || options[0] !== found)
    return [...new Set(options.flatMap((option) => objectsOf(option, schemas)))];
  if (found.items !== undefined) return objectsOf(found.items, schemas);
  if (typeof found.additionalProperties === "object")
    return objectsOf(found.additionalProperties, schemas);
  return [];
}

type OpenedProps = { names: readonly string[]; depth: number; isAnswer: boolean };

function Opened({ names, depth, isAnswer }: OpenedProps) {
  const { t } = useTranslation("docs");
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const [first = ""] = names;
  const words =
    names.length > 1 ? t("choices", { count: names.length }) : t("fields_of", { name: first });
  return (
    <div className="docs-inner">
      <button
        type="button"
        className="docs-open"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name={isOpen ? "up" : "down"} size={16} />
        {words}
      </button>
      {isOpen && (
        <div id={id}>
          <Choices names={names} depth={depth + 1} isAnswer={isAnswer} />
        </div>
      )}
    </div>
  );
}

/** The fields of an object; of several, one that is chosen among them. */
export function Choices({
  names,
  depth = 0,
  isAnswer = false,
}: Partial<OpenedProps> & { names: readonly string[] }) {
  const { t } = useTranslation("docs");
  const { objects } = useBook();
  const [chosen, setChosen] = useState(names[0] ?? "");
  const object = objects.find(({ name }) => name === chosen);
  return (
    <>
      {names.length > 1 && (
        <div className="docs-choices" role="group" aria-label={t("choose_one")}>
          {names.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === chosen}
              onClick={() => setChosen(name)}
            >
              {tagOf(name, objects) ?? name}
            </button>
          ))}
        </div>
      )}
      {object !== undefined && (
        <>
          <div className="docs-told">
            <Prose text={object.text} />
          </div>
          <Fields fields={object.fields} label={chosen} depth={depth} isAnswer={isAnswer} />
        </>
      )}
    </>
  );
}

/** By which value one of several is told: `type: seats`. */
function tagOf(name: string, objects: ReturnType<typeof useBook>["objects"]): string | null {
  const fields = objects.find((one) => one.name === name)?.fields ?? [];
  const tag = fields.find(({ schema }) => schema.const !== undefined || schema.enum?.length === 1);
  if (tag === undefined) return null;
  return `${tag.name}: ${String(tag.schema.const ?? tag.schema.enum?.[0])}`;
}
