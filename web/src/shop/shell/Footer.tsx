// The footer: who sells, the legal texts, and the commands of a visitor.
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { LEGAL, legalHref } from "../merchant/legal";
import { useMerchant } from "../merchant/merchant";

const LINKS = { start: "/start", api: "/docs", embed: "/embed", console: "/console" };

type FooterProps = {
  children?: ReactNode;
  /** The links for who builds with Bespeak; by default where no merchant has a name. */
  hasBuildersLinks?: boolean;
};

/** `children` are the commands of a visitor, where there is a session. */
export function Footer({ children, hasBuildersLinks }: FooterProps) {
  const { t } = useTranslation("shop");
  const merchant = useMerchant();
  return (
    <footer className="shop-footer">
      <Seller />
      <div className="shop-footer-row">
        <p>{t("footer.made")}</p>
        {children}
        {(hasBuildersLinks ?? (merchant?.name ?? null) === null) && (
          <nav aria-label={t("footer.nav")}>
            <ul role="list" className="shop-footer-links">
              {Object.entries(LINKS).map(([name, href]) => (
                <li key={name}>
                  <a href={href}>{t(`footer.${name}`)}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
    </footer>
  );
}

/** Who sells, as far as the merchant has said it. */
function Seller() {
  const { t } = useTranslation("shop");
  const merchant = useMerchant();
  if (merchant === null) return null;
  const { name, address, email, phone } = merchant;
  const texts = LEGAL.flatMap((legal) => {
    const href = legalHref(merchant, legal);
    return href === null ? [] : [{ legal, href }];
  });
  if ([name, address, email, phone].every((one) => one === null) && texts.length === 0) return null;
  return (
    <div className="shop-footer-row shop-seller">
      <address>
        {name !== null && (
          <strong>
            <bdi>{name}</bdi>
          </strong>
        )}
        {address !== null && (
          <span className="shop-seller-lines" dir="auto">
            {address}
          </span>
        )}
      </address>
      <div className="shop-seller-contact">
        {email !== null && <a href={`mailto:${email}`}>{email}</a>}
        {phone !== null && (
          <a href={`tel:${phone.replace(/[^+0-9]/g, "")}`} dir="ltr">
            {phone}
          </a>
        )}
      </div>
      {texts.length > 0 && (
        <nav aria-label={t("legal.nav")}>
          <ul role="list" className="shop-footer-links">
            {texts.map(({ legal, href }) => (
              <li key={legal}>
                {href.startsWith("/") ? (
                  <Link href={href}>{t(`legal.${legal}`)}</Link>
                ) : (
                  <a href={href}>{t(`legal.${legal}`)}</a>
                )}
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
