// A code: what it means, whether a retry helps, what to do, what comes with it, which calls answer it.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { PROBLEM_MEMBERS, type BookCall, type BookError } from "../book/book";
import { fieldsOf } from "../book/fields";
import { CodeBlock } from "../parts/CodeBlock";
import { Method } from "../parts/Contents";
import { Fields } from "../parts/Fields";
import { Inline } from "../parts/Prose";
import { Retry } from "../parts/Refusals";
import { JSON_SYNTAX, literal } from "../samples/literals";
import { useBook } from "../useBook";
import { useTitle } from "../useTitle";

const KNOWN: readonly string[] = PROBLEM_MEMBERS;

export function ErrorPage({ error }: { error: BookError }) {
  const { t } = useTranslation("docs");
  useTitle(error.code);
  return (
    <article className="docs-page">
      <p className="docs-above">
        <Link href="/errors">{t("errors.nav")}</Link>
      </p>
      <h1 className="docs-code-title">{error.code}</h1>
      <p className="docs-field-head">
        <span className="docs-status">{error.status}</span>
        <Retry retryable={error.retryable} />
        {error.sqlstate !== null && (
          <span>
            SQLSTATE <code>{error.sqlstate}</code>
          </span>
        )}
      </p>
      <p className="docs-lead">
        <Inline text={error.meaning} />
      </p>
      {error.advice !== "" && (
        <section>
          <h2>{t("advice")}</h2>
          <p>
            <Inline text={error.advice} />
          </p>
        </section>
      )}
      <Data error={error} />
      <AnsweredBy calls={error.calls} code={error.code} />
    </article>
  );
}

function Data({ error: { schema, example } }: { error: BookError }) {
  const { t } = useTranslation("docs");
  const { schemas } = useBook();
  if (schema === null) return null;
  const fields = fieldsOf(schema, schemas).filter(({ name }) => !KNOWN.includes(name));
  return (
    <>
      {fields.length > 0 && (
        <section>
          <h2>{t("problem_data")}</h2>
          <Fields fields={fields} label={t("problem_data")} isAnswer />
        </section>
      )}
      <section>
        <h2>{t("example")}</h2>
        <CodeBlock code={literal(example, JSON_SYNTAX)} label={t("example")} />
      </section>
    </>
  );
}

/** The calls that have it as their own; where all of a sort have it, how many. */
function AnsweredBy({ calls, code }: { calls: readonly BookCall[]; code: string }) {
  const { t } = useTranslation("docs");
  const own = calls.filter(({ errors }) => errors.own.includes(code));
  if (calls.length === 0) return null;
  return (
    <section>
      <h2>{t("answered_by")}</h2>
      {own.length < calls.length && (
        <p>{t("answered_by_count", { count: calls.length - own.length })}</p>
      )}
      <ul role="list" className="docs-links">
        {own.map(({ id, method, path, summary }) => (
          <li key={id}>
            <Link href={`/calls/${id}`}>{summary}</Link>
            <span>
              <Method method={method} /> <code>{path}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
