// The errors that a call may answer: its own, and, closed at first, those that every call has.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { BookCall, BookError } from "../book/book";
import { useBook } from "../useBook";
import { Inline } from "./Prose";

export function Refusals({ errors: { own, common } }: { errors: BookCall["errors"] }) {
  const { t } = useTranslation("docs");
  return (
    <section>
      <h2>{t("refusals")}</h2>
      {own.length > 0 ? <ErrorList codes={own} /> : <p>{t("refusals_common_only")}</p>}
      {common.length > 0 && (
        <details className="docs-more">
          <summary>{t("refusals_common", { count: common.length })}</summary>
          <ErrorList codes={common} />
        </details>
      )}
    </section>
  );
}

function ErrorList({ codes }: { codes: readonly string[] }) {
  const { errors } = useBook();
  const found = errors.filter(({ code }) => codes.includes(code));
  return (
    <ul role="list" className="docs-errors">
      {found.map((error) => (
        <li key={error.code}>
          <ErrorLine error={error} />
        </li>
      ))}
    </ul>
  );
}

/** An error in a list: its code, whether a retry helps, what it means and what to do. */
export function ErrorLine({ error }: { error: BookError }) {
  const { t } = useTranslation("docs");
  return (
    <>
      <p className="docs-field-head">
        <span className="docs-status">{error.status}</span>
        <Link href={`/errors/${error.code}`}>
          <code dir="ltr">{error.code}</code>
        </Link>
        <Retry retryable={error.retryable} />
      </p>
      <p>
        <Inline text={error.meaning} />
      </p>
      {error.advice !== "" && (
        <p className="docs-advice">
          <strong>{t("advice")}</strong> <Inline text={error.advice} />
        </p>
      )}
    </>
  );
}

export function Retry({ retryable }: { retryable: boolean }) {
  const { t } = useTranslation("docs");
  return (
    <span className="docs-retry" data-retry={retryable}>
      {t(retryable ? "retry.yes" : "retry.no")}
    </span>
  );
}
