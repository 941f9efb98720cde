// The header: home, the vertical's slot, holds, bookings, language and theme.
import { useTranslation } from "react-i18next";
import { Link, useRoute } from "wouter";
import { Countdown, Icon, LocaleSwitch, ThemeSwitch } from "~/design";
import { number } from "~/i18n/format";
import { unitsIn, useLiveHolds } from "../holds";
import { useMerchant } from "../merchant/merchant";
import { useShop } from "../session";
import { useVerticals } from "../verticals";
import { inWords, wordingOf } from "../wording";

export function ShopHeader({ bare = false }: { bare?: boolean }) {
  const { t } = useTranslation("shop");
  const merchant = useMerchant();
  return (
    <header className="shop-header">
      <div className="shop-header-row">
        <Home bare={bare} />
        {!bare && <Slots />}
        <nav className="shop-header-end" aria-label={t("header.nav")}>
          {!bare && <StillHeld />}
          {!bare && <BookingsLink />}
          <span className="shop-locale">
            <Icon name="globe" />
            <LocaleSwitch only={merchant?.languages ?? null} />
          </span>
          <ThemeSwitch />
        </nav>
      </div>
    </header>
  );
}

/** The merchant's logo and name, or else ours. While it is not known whose shop it is, neither. */
function Home({ bare }: { bare: boolean }) {
  const { t } = useTranslation("shop");
  const merchant = useMerchant();
  const name = merchant?.name ?? null;
  const logo = merchant?.logo ?? null;
  const label = name === null ? t("site.home") : t("legal.home", { name });
  return (
    <Link href="/" className="shop-logo" aria-label={label}>
      {logo === null ? (
        <span className="shop-logo-mark" hidden={bare}>
          <ShopMark />
        </span>
      ) : (
        <img className="shop-logo-picture" src={logo.url} alt="" />
      )}
      <span className="shop-logo-word" hidden={bare}>
        <bdi>{name ?? t("site.word")}</bdi>
      </span>
    </Link>
  );
}

/** Our logo: two seats side by side, one taken. */
function ShopMark() {
  return (
    <svg className="shop-mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="var(--accent)" />
      <rect x="6.5" y="9" width="8.5" height="10" rx="3" fill="var(--accent-ink)" />
      <rect
        x="17.75"
        y="9.75"
        width="7"
        height="8.5"
        rx="2.5"
        fill="none"
        stroke="var(--accent-ink)"
        strokeWidth="1.5"
      />
      <rect x="6.5" y="21" width="19" height="2.5" rx="1.25" fill="var(--accent-ink)" />
    </svg>
  );
}

function Slots() {
  const slots = useVerticals().flatMap(({ HeaderSlot }, index) =>
    HeaderSlot === undefined ? [] : [<HeaderSlot key={index} />],
  );
  return <div className="shop-header-slots">{slots}</div>;
}

function BookingsLink() {
  const { t } = useTranslation("shop");
  const [isHere] = useRoute("/bookings");
  return (
    <Link href="/bookings" className="shop-header-link" aria-current={isHere ? "page" : undefined}>
      <Icon name="ticket" />
      <span className="shop-header-word">{t("header.bookings")}</span>
    </Link>
  );
}

/** The link to the visitor's hold: number of seats and time left. */
function StillHeld() {
  const { t } = useTranslation("shop");
  const { behindMs } = useShop();
  const holds = useLiveHolds();
  const [isCheckout] = useRoute("/checkout/:hold");
  const hold = holds.items[0];
  if (hold === undefined || isCheckout) return null;
  const count = unitsIn(hold.lines);
  return (
    <Link href={`/checkout/${hold.id}`} className="shop-held">
      <span className="visually-hidden">
        {t("header.held", { count, ...inWords(wordingOf(hold.lines)) })}
      </span>
      <span aria-hidden="true" className="shop-held-count">
        {number(count)}
      </span>
      <Countdown endsAt={Date.parse(hold.expires_at)} behindMs={behindMs} onEnd={holds.refresh} />
    </Link>
  );
}
