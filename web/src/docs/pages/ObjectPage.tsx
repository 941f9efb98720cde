// An object: its fields, or the choices that it is, or the words; an example; and where it is used.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { BookObject } from "../book/book";
import { optionsOf, type Schema } from "../book/openapi";
import { CodeBlock } from "../parts/CodeBlock";
import { Choices, Fields, objectsOf } from "../parts/Fields";
import { Prose } from "../parts/Prose";
import { JSON_SYNTAX, literal } from "../samples/literals";
import { useBook } from "../useBook";
import { useTitle } from "../useTitle";

export function ObjectPage({ object }: { object: BookObject }) {
  const { t } = useTranslation("docs");
  const { schemas } = useBook();
  const { name, schema, text, fields, example } = object;
  useTitle(name);
  const isUnion = optionsOf(schema).length > 1;
  return (
    <article className="docs-page">
      <p className="docs-above">
        <Link href="/objects">{t("objects.nav")}</Link>
      </p>
      <h1>{name}</h1>
      <Prose text={text} />
      {schema.enum !== undefined && (
        <section>
          <h2>{t("words")}</h2>
          <p className="docs-words">
            {schema.enum.map((word) => (
              <code key={String(word)}>{String(word)}</code>
            ))}
          </p>
        </section>
      )}
      {isUnion && (
        <section>
          <h2>{t("choose_one")}</h2>
          <Choices names={objectsOf(schema, schemas)} />
        </section>
      )}
      {fields.length > 0 && (
        <section>
          <h2>{t("fields")}</h2>
          <Fields fields={fields} label={t("fields")} />
        </section>
      )}
      {schema.enum === undefined && (
        <section>
          <h2>{t("example")}</h2>
          <CodeBlock code={literal(example, JSON_SYNTAX)} label={t("example")} />
        </section>
      )}
      <UsedBy name={name} />
    </article>
  );
}

/** The calls and objects that name it themselves. */
function UsedBy({ name }: { name: string }) {
  const { t } = useTranslation("docs");
  const { calls, objects } = useBook();
  const names = (schema: Schema | null | undefined) =>
    schema !== null && JSON.stringify(schema ?? {}).includes(`/${name}"`);
  const byCalls = calls.filter(
    ({ body, answers }) => names(body?.schema) || answers.some(({ schema }) => names(schema)),
  );
  const byObjects = objects.filter(({ schema }) => names(schema));
  if (byCalls.length + byObjects.length === 0) return null;
  return (
    <section>
      <h2>{t("used_by")}</h2>
      <ul role="list" className="docs-links">
        {byCalls.map(({ id, summary }) => (
          <li key={id}>
            <Link href={`/calls/${id}`}>{summary}</Link>
          </li>
        ))}
        {byObjects.map((one) => (
          <li key={one.name}>
            <Link href={`/objects/${one.name}`}>{one.name}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
