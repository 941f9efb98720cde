// All objects that calls take and answer, by the alphabet.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Inline } from "../parts/Prose";
import { useBook } from "../useBook";
import { useTitle } from "../useTitle";

export function ObjectsPage() {
  const { t } = useTranslation("docs");
  const { objects } = useBook();
  useTitle(t("objects.nav"));
  return (
    <div className="docs-page">
      <h1>{t("objects.nav")}</h1>
      <p className="docs-lead">{t("objects.lead")}</p>
      <ul role="list" className="docs-links">
        {objects.map(({ name, text }) => (
          <li key={name}>
            <Link href={`/objects/${name}`}>{name}</Link>
            <span>
              <Inline text={text.split("\n")[0] ?? ""} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
