// Which keys open a call, and what else they need.
import { useTranslation } from "react-i18next";
import type { BookCall } from "../book/book";

const PREFIXES: Readonly<Record<string, string>> = {
  publishable: "pk_",
  secret: "sk_",
  admin: "ak_",
  restricted: "rk_",
};

export function Access({ call }: { call: BookCall }) {
  const { t } = useTranslation("docs");
  const ways = call.access ?? [];
  if (ways.length === 0) return <p className="docs-keys">{t("keys.none")}</p>;
  const opens = (...names: string[]) =>
    ways.some((way) => Object.keys(way).toSorted().join() === names.toSorted().join());
  const scopes = ways.flatMap((way) => (way["restricted"] ? [way["restricted"]] : []));
  const byShopper = opens("publishable", "shopper") && !opens("publishable");
  return (
    <dl className="docs-keys">
      <dt>{t("keys.title")}</dt>
      <dd>
        {(["publishable", "secret", "admin"] as const)
          .filter((kind) => ways.some((way) => kind in way))
          .map((kind) => (
            <span key={kind} className="docs-key">
              <code dir="ltr">{PREFIXES[kind]}</code>
              {kind === "publishable" && byShopper && ` ${t("keys.shopper")}`}
            </span>
          ))}
        {scopes.length > 0 && (
          <span className="docs-key">
            <code dir="ltr">rk_</code> {t("keys.scopes")}{" "}
            {scopes.map((all, place) => (
              <span key={all.join()}>
                {place > 0 && ` ${t("keys.or")} `}
                {all.length === 0 ? t("keys.any_scope") : <code dir="ltr">{all.join(" + ")}</code>}
              </span>
            ))}
          </span>
        )}
        {opens("calendar_link") && <span className="docs-key">{t("keys.calendar_link")}</span>}
        {opens("booking_link", "publishable") && (
          <span className="docs-key">{t("keys.booking_link")}</span>
        )}
      </dd>
    </dl>
  );
}
