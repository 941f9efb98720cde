// All codes, by what they are about, as docs/reference/errors.md has them.
import { useTranslation } from "react-i18next";
import { ErrorLine } from "../parts/Refusals";
import { useBook } from "../useBook";
import { useTitle } from "../useTitle";

export function ErrorsPage() {
  const { t } = useTranslation("docs");
  const { errors } = useBook();
  useTitle(t("errors.nav"));
  const groups = [...new Set(errors.map(({ group }) => group))];
  return (
    <div className="docs-page">
      <h1>{t("errors.nav")}</h1>
      <p className="docs-lead">{t("errors.lead")}</p>
      <div>
        {groups.map((group) => (
          <section key={group}>
            <h2>{group}</h2>
            <ul role="list" className="docs-errors">
              {errors
                .filter((error) => error.group === group)
                .map((error) => (
                  <li key={error.code} id={error.code}>
                    <ErrorLine error={error} />
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}
