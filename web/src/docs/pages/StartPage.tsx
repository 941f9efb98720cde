// The first page: what the API is like in a few words, a first purchase, and all calls by groups. Its head
// needs no book.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Loaded } from "~/design";
import { CodeBlock } from "../parts/CodeBlock";
import { Method } from "../parts/Contents";
import { Inline } from "../parts/Prose";
import { useBook, useReading } from "../useBook";
import { useTitle } from "../useTitle";

const PURCHASE = ["placeHold", "confirmHold", "cancelBooking"];
const RULES = ["keys", "once", "errors", "lists", "words"] as const;

export function StartPage() {
  const { t } = useTranslation("docs");
  const reading = useReading();
  useTitle("");
  return (
    <div className="docs-page docs-start">
      <h1>{t("title")}</h1>
      <p className="docs-lead">{t("start.lead")}</p>
      <CodeBlock
        code={`curl -s '${location.origin}/v1/resources?limit=1' -H "Authorization: Bearer $SK"`}
        label="curl"
      />
      <Loaded of={reading} height="60vh">
        {() => <OfBook />}
      </Loaded>
    </div>
  );
}

function OfBook() {
  const { t } = useTranslation("docs");
  const { tags, calls } = useBook();
  return (
    <>
      <ol className="docs-steps">
        {PURCHASE.flatMap((id) => calls.find((one) => one.id === id) ?? []).map((call) => (
          <li key={call.id}>
            <Link href={`/calls/${call.id}`}>{call.summary}</Link>:{" "}
            <Inline text={call.text.split(/(?<=[.:]) /)[0] ?? ""} />
          </li>
        ))}
      </ol>
      <h2>{t("start.rules")}</h2>
      <dl className="docs-rules">
        {RULES.map((rule) => (
          <div key={rule}>
            <dt>{t(`start.${rule}`)}</dt>
            <dd>{t(`start.${rule}_text`)}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a href="/v1/openapi.json">{t("start.document")}</a>
      </p>
      <div>
        {tags.map(({ name, description }) => (
          <section key={name}>
            <h2>{name}</h2>
            <p>{description}</p>
            <ul role="list" className="docs-links">
              {calls
                .filter(({ tag }) => tag === name)
                .map(({ id, summary, method, path }) => (
                  <li key={id}>
                    <Link href={`/calls/${id}`}>{summary}</Link>
                    <span>
                      <Method method={method} /> <code>{path}</code>
                    </span>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}
