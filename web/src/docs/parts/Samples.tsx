// A call as one would make it: in curl, Python and JavaScript, with the reader's own ids in it.
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Tabs } from "~/design";
import type { BookCall } from "../book/book";
import { setOwnValue, useOwnValues } from "../ownValues";
import { curlOf } from "../samples/curl";
import { javascriptOf } from "../samples/javascript";
import { pythonOf } from "../samples/python";
import { idsOf, requestOf, type SampleRequest } from "../samples/request";
import { useBook } from "../useBook";
import { CodeBlock } from "./CodeBlock";

const LANGUAGES = {
  curl: { label: "curl", write: curlOf },
  python: { label: "Python", write: pythonOf },
  javascript: { label: "JavaScript", write: javascriptOf },
} as const;
type Language = keyof typeof LANGUAGES;

const KEPT_AS = "bespeak.docs.language";
const isLanguage = (name: string | null): name is Language =>
  name !== null && Object.hasOwn(LANGUAGES, name);

export function Samples({ call }: { call: BookCall }) {
  const { t } = useTranslation("docs");
  const { schemas, server } = useBook();
  const own = useOwnValues();
  const [language, setLanguage] = useState(keptLanguage);
  const choose = (name: string) => {
    if (!isLanguage(name)) return;
    localStorage.setItem(KEPT_AS, name);
    setLanguage(name);
  };
  const at = /^https?:/.test(server) ? server : location.origin;
  const request = requestOf(call, schemas, at, own);
  const { label, write } = LANGUAGES[language];
  return (
    <section className="docs-samples" aria-label={t("samples")}>
      <Tabs
        label={t("language_of_sample")}
        items={Object.entries(LANGUAGES).map(([key, one]) => ({ key, label: one.label }))}
        chosen={language}
        onChoose={choose}
      />
      <CodeBlock code={write(request)} label={`${t("sample_in", { language: label })}`} />
      <Hints request={request} language={language} />
      <OwnIds ids={idsOf(requestOf(call, schemas, at))} />
    </section>
  );
}

function keptLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AS);
  return isLanguage(kept) ? kept : "curl";
}

/** What the sample takes for granted. */
function Hints({ request, language }: { request: SampleRequest; language: Language }) {
  const { t } = useTranslation("docs");
  const needs = {
    curl: null,
    python: 'pip install "bespeak[client]"',
    javascript: "npm install @bespeak/server",
  };
  return (
    <ul className="docs-hints">
      {request.key !== null && (
        <li>{t("hint_key", { key: request.key, kind: `${request.key.toLowerCase()}_` })}</li>
      )}
      {needs[language] !== null && (
        <li>
          <code dir="ltr">{needs[language]}</code>
        </li>
      )}
    </ul>
  );
}

function OwnIds({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation("docs");
  const own = useOwnValues();
  const base = useId();
  if (ids.length === 0) return null;
  return (
    <details className="docs-own" open>
      <summary>{t("own_ids")}</summary>
      {ids.map((id) => (
        <label key={id} htmlFor={`${base}-${id}`}>
          <code dir="ltr">{id}</code>
          <input
            id={`${base}-${id}`}
            className="input"
            dir="ltr"
            spellCheck={false}
            autoComplete="off"
            placeholder={t("own_id")}
            value={own[id] ?? ""}
            onChange={(event) => setOwnValue(id, event.target.value)}
          />
        </label>
      ))}
    </details>
  );
}
