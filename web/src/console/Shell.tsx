// The frame of every page: navigation at the side (at the bottom on phones), page, account.
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import type { ConsoleSessionView } from "~/api/internal";
import {
  Button,
  Dialog,
  Icon,
  type IconName,
  LocaleSwitch,
  Note,
  ThemeSwitch,
  useProblemWords,
  useToast,
} from "~/design";
import { ConsoleMark } from "./parts";
import { logOut } from "./session";

type Scopes = ConsoleSessionView["scopes"];
/** `needs`: shown only to who has the scope, since its page would be refused to others. */
type NavItem = {
  readonly href: string;
  readonly name: string;
  readonly icon: IconName;
  readonly needs?: Scopes[number];
};

const PROGRAMME: NavItem = {
  href: "/console/programme",
  name: "programme",
  icon: "programme",
  needs: "manage",
};
const STAYS: NavItem = { href: "/console/stays", name: "stays", icon: "bed", needs: "manage" };
const BOARD: NavItem = {
  href: "/console/stays/board",
  name: "board",
  icon: "today",
  needs: "read",
};
const APPOINTMENTS: NavItem = {
  href: "/console/appointments",
  name: "appointments",
  icon: "person",
  needs: "read",
};
const CINEMA: NavItem = { href: "/console/cinema", name: "cinema", icon: "shows", needs: "read" };
const WAITING_ROOMS: NavItem = {
  href: "/console/waiting-rooms",
  name: "waiting_rooms",
  icon: "crowd",
  needs: "read",
};
const WAITLISTS: NavItem = {
  href: "/console/waitlists",
  name: "waitlists",
  icon: "clock",
  needs: "manage",
};
const DAILY: readonly NavItem[] = [
  { href: "/console", name: "today", icon: "today" },
  PROGRAMME,
  CINEMA,
  STAYS,
  BOARD,
  APPOINTMENTS,
  { href: "/console/shows", name: "shows", icon: "shows" },
  WAITING_ROOMS,
  WAITLISTS,
  { href: "/console/bookings", name: "bookings", icon: "ticket" },
  { href: "/console/work", name: "work", icon: "work" },
];
const SETTING_UP: readonly NavItem[] = [
  { href: "/console/start", name: "start", icon: "flag", needs: "manage" },
  { href: "/console/reports", name: "reports", icon: "card", needs: "read" },
  { href: "/console/scanner", name: "scanner", icon: "check", needs: "check_in" },
  { href: "/console/advice", name: "advice", icon: "clock" },
  { href: "/console/rooms", name: "rooms", icon: "rooms", needs: "manage" },
  { href: "/console/import", name: "import", icon: "import", needs: "manage" },
  { href: "/console/shop-settings", name: "merchant", icon: "seat", needs: "manage" },
  { href: "/console/mails", name: "mails", icon: "card", needs: "manage" },
  {
    href: "/console/payment-provider",
    name: "payment_provider",
    icon: "card",
    needs: "admin",
  },
  { href: "/console/operators", name: "operators", icon: "crowd", needs: "admin" },
  { href: "/console/keys", name: "keys", icon: "key", needs: "admin" },
  { href: "/console/audit-log", name: "audit_log", icon: "shield", needs: "admin" },
];
const OUTBOX: NavItem = { href: "/console/outbox", name: "outbox", icon: "card", needs: "admin" };

type ShellProps = {
  name: string;
  scopes: Scopes;
  pretendMoney: boolean;
  /** Mails are written into a folder instead of being sent. */
  hasOutbox: boolean;
  /** Who logged in with a key has no account. */
  hasAccount: boolean;
  children: ReactNode;
};

export function Shell(props: ShellProps) {
  const { name, scopes, pretendMoney, hasAccount, children } = props;
  const { t } = useTranslation("console");
  const { t: common } = useTranslation("design");
  const [more, setMore] = useState(false);
  const all = props.hasOutbox ? [...SETTING_UP, OUTBOX] : SETTING_UP;
  const isFor = ({ needs }: NavItem) => needs === undefined || scopes.includes(needs);
  const settingUp = all.filter(isFor);
  const daily = DAILY.filter(isFor);
  // The foot of a phone has room for four and More.
  const isFurther = (item: NavItem) =>
    [PROGRAMME, CINEMA, STAYS, BOARD, APPOINTMENTS, WAITING_ROOMS, WAITLISTS].includes(item);
  const foot = daily.filter((item) => !isFurther(item));
  const rest = [...daily.filter(isFurther), ...settingUp];
  return (
    <div className="console-frame">
      <a className="skip-link" href="#content">
        {common("skip")}
      </a>
      <aside className="console-side">
        <Link href="/console" className="console-home">
          <ConsoleMark />
          <span className="console-tag">{t("console")}</span>
        </Link>
        <nav aria-label={t("nav.label")}>
          <NavLinks items={daily} />
          <p className="console-nav-head">{t("nav.setting_up")}</p>
          <NavLinks items={settingUp} />
        </nav>
        <Account name={name} hasAccount={hasAccount} />
      </aside>
      <main id="content" className="console-main" tabIndex={-1}>
        {pretendMoney && <Note tone="warn">{t("pretend_money")}</Note>}
        {children}
      </main>
      <nav className="console-foot" aria-label={t("nav.label")}>
        <NavLinks items={foot} />
        <button type="button" className="console-way" onClick={() => setMore(true)}>
          <Icon name="more" />
          <span>{t("nav.more")}</span>
        </button>
      </nav>
      <Dialog open={more} title={t("nav.more")} onClose={() => setMore(false)}>
        <nav aria-label={t("nav.setting_up")} className="console-more">
          <NavLinks items={rest} onGo={() => setMore(false)} />
        </nav>
        <Account name={name} hasAccount={hasAccount} onGo={() => setMore(false)} />
      </Dialog>
    </div>
  );
}

function NavLinks({ items, onGo }: { items: readonly NavItem[]; onGo?: () => void }) {
  const { t } = useTranslation("console");
  const [path] = useLocation();
  const here = hereOf(path);
  return (
    <ul role="list" className="console-ways">
      {items.map(({ href, name, icon }) => {
        const isHere = href === here;
        return (
          <li key={href}>
            <Link
              href={href}
              className="console-way"
              aria-current={isHere ? "page" : undefined}
              onClick={() => onGo?.()}
            >
              <Icon name={icon} />
              <span>{t(`nav.${name}`)}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** The entry that a page belongs to: of two that fit, the longer one. */
function hereOf(path: string): string | undefined {
  return [...DAILY, ...SETTING_UP, OUTBOX]
    .map(({ href }) => href)
    .filter((href) => path === href || (href !== "/console" && path.startsWith(`${href}/`)))
    .toSorted((one, other) => other.length - one.length)[0];
}

type AccountProps = { name: string; hasAccount: boolean; onGo?: () => void };

function Account({ name, hasAccount, onGo }: AccountProps) {
  const { t } = useTranslation("console");
  const tell = useToast();
  const words = useProblemWords();
  const [busy, setBusy] = useState(false);
  const leave = () => {
    setBusy(true);
    logOut().catch((error: unknown) => {
      tell(words(error));
      setBusy(false);
    });
  };
  return (
    <div className="console-account">
      {hasAccount ? (
        <Link href="/console/account" className="console-way" onClick={() => onGo?.()}>
          <Icon name="person" size={18} />
          <span>{name}</span>
        </Link>
      ) : (
        <div className="console-account-name">
          <Icon name="key" size={18} />
          <span>{name}</span>
        </div>
      )}
      <div className="console-account-choices">
        <LocaleSwitch />
        <ThemeSwitch />
      </div>
      <Button kind="quiet" size="small" busy={busy} onClick={leave}>
        <Icon name="logout" size={18} flip />
        {t("logout")}
      </Button>
    </div>
  );
}
