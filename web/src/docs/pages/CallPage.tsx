// A call: what it does, who may make it, what it takes and answers, how it is refused, and how one
// makes it.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { BookAnswer, BookCall } from "../book/book";
import { fieldsOf, type BookField } from "../book/fields";
import { JSON_SYNTAX, literal } from "../samples/literals";
import { Access } from "../parts/Access";
import { CodeBlock } from "../parts/CodeBlock";
import { Method } from "../parts/Contents";
import { Choices, Fields, objectsOf, TypeWords } from "../parts/Fields";
import { Inline, Prose } from "../parts/Prose";
import { Refusals } from "../parts/Refusals";
import { Samples } from "../parts/Samples";
import { useBook } from "../useBook";
import { useTitle } from "../useTitle";

export function CallPage({ call }: { call: BookCall }) {
  const { t } = useTranslation("docs");
  useTitle(call.summary);
  return (
    <article className="docs-call">
      <div className="docs-page">
        <p className="docs-above" lang="en">
          {call.tag}
        </p>
        <h1 lang="en">{call.summary}</h1>
        <p className="docs-address">
          <Method method={call.method} />
          <code>{call.path}</code>
        </p>
        <Prose text={call.text} />
        {call.isRepeatable && <p className="docs-note">{t("repeatable")}</p>}
        <Access call={call} />
        <Taken call={call} />
        <Answers call={call} />
        <Refusals errors={call.errors} />
      </div>
      <aside className="docs-aside" aria-label={t("samples")}>
        <Samples call={call} />
      </aside>
    </article>
  );
}

function Taken({ call }: { call: BookCall }) {
  const { t } = useTranslation("docs");
  return (
    <>
      <Parameters name="path" fields={call.inPath} />
      <Parameters name="query" fields={call.query} />
      {call.body !== null && (
        <section>
          <h2>
            {t("part.body")}
            {!call.body.isNeeded && <small> {t("may_be_absent")}</small>}
          </h2>
          {call.body.schema === null ? (
            <p>{t("raw_body", { type: call.body.mediaType })}</p>
          ) : (
            <Fields fields={call.body.fields} label={t("part.body")} />
          )}
        </section>
      )}
      <Parameters name="header" fields={call.headers} />
    </>
  );
}

type ParametersProps = { name: "path" | "query" | "header"; fields: readonly BookField[] };

function Parameters({ name, fields }: ParametersProps) {
  const { t } = useTranslation("docs");
  if (fields.length === 0) return null;
  return (
    <section>
      <h2>{t(`part.${name}`)}</h2>
      <Fields fields={fields} label={t(`part.${name}`)} />
    </section>
  );
}

function Answers({ call }: { call: BookCall }) {
  const { t } = useTranslation("docs");
  return (
    <section>
      <h2>{t("answers")}</h2>
      {call.answers.map((answer, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- a status may be there in two media types
        <Answer key={place} answer={answer} meanings={place === 0 ? call.answerFields : {}} />
      ))}
    </section>
  );
}

type AnswerProps = { answer: BookAnswer; meanings: Readonly<Record<string, string>> };

function Answer({ answer, meanings }: AnswerProps) {
  const { t } = useTranslation("docs");
  const { schemas } = useBook();
  const { status, text, mediaType, schema, example } = answer;
  const objects = schema === null ? [] : objectsOf(schema, schemas);
  const isTold = Object.keys(meanings).length > 0 && schema !== null;
  return (
    <div className="docs-answer">
      <p className="docs-field-head">
        <span className="docs-status" data-good>
          {status}
        </span>
        {schema === null ? <code>{mediaType}</code> : <TypeWords schema={schema} />}
      </p>
      {text !== "" && text !== "with" && (
        <p>
          <Inline text={text} />
        </p>
      )}
      {objects.length > 0 && (
        <details className="docs-more">
          <summary>{t("fields")}</summary>
          {isTold ? (
            <Fields fields={fieldsOf(schema, schemas, meanings)} label={t("fields")} isAnswer />
          ) : (
            <Choices names={objects} isAnswer />
          )}
        </details>
      )}
      {example !== undefined && (
        <CodeBlock code={literal(example, JSON_SYNTAX)} label={t("example_of", { status })} />
      )}
      {objects.length === 1 && objects[0] !== undefined && (
        <p>
          <Link href={`/objects/${objects[0]}`}>{t("all_of", { name: objects[0] })}</Link>
        </p>
      )}
    </div>
  );
}
