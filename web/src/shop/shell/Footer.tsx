// The footer.
import { useTranslation } from "react-i18next";

export function Footer() {
  const { t } = useTranslation("shop");
  return (
    <footer className="shop-footer">
      <div className="shop-footer-row">
        <p>{t("footer.made")}</p>
        <nav aria-label={t("footer.nav")}>
          <ul role="list" className="shop-footer-links">
            <li>
              <a href="/start">{t("footer.start")}</a>
            </li>
            <li>
              <a href="/docs">{t("footer.api")}</a>
            </li>
            <li>
              <a href="/embed">{t("footer.embed")}</a>
            </li>
            <li>
              <a href="/console">{t("footer.console")}</a>
            </li>
          </ul>
        </nav>
      </div>
    </footer>
  );
}
