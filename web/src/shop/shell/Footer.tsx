// The footer.
import { useTranslation } from "react-i18next";

const LINKS = { start: "/start", api: "/docs", embed: "/embed", console: "/console" };

export function Footer() {
  const { t } = useTranslation("shop");
  return (
    <footer className="shop-footer">
      <div className="shop-footer-row">
        <p>{t("footer.made")}</p>
        <nav aria-label={t("footer.nav")}>
          <ul role="list" className="shop-footer-links">
            {Object.entries(LINKS).map(([name, href]) => (
              <li key={name}>
                <a href={href}>{t(`footer.${name}`)}</a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
