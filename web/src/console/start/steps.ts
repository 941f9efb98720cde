// The way from an empty server to the first sale, as steps that know from the API whether they are
// done. What is advised may be left for later.
import type { ConsoleSessionView } from "~/api/internal";
import type { MerchantView } from "~/api/schema";

export const STEP_NAMES = [
  "account",
  "shop",
  "look",
  "languages",
  "legal",
  "payments",
  "mail",
  "hall",
  "event",
  "date",
  "publish",
  "sale",
] as const;
export type StepName = (typeof STEP_NAMES)[number];

export type Step = {
  readonly name: StepName;
  readonly isDone: boolean;
  readonly isAdvised: boolean;
  /** Which of the texts says how it stands. */
  readonly text: string;
  /** Where it is done; null: not in the console. */
  readonly href: string | null;
};

/** What is known of a box office. */
export type Standing = {
  readonly session: Pick<
    ConsoleSessionView,
    "operator_id" | "takes_payments" | "pretend_money" | "has_desk" | "sends_mail" | "has_outbox"
  >;
  readonly merchant: MerchantView;
  readonly venue: string | null;
  readonly hasHall: boolean;
  /** The event whose date comes next: the only one, or the latest. */
  readonly event: string | null;
  readonly date: string | null;
  /** A team that gives appointments: who has one may do without events. */
  readonly team: string | null;
  readonly isPublished: boolean;
  readonly hasSale: boolean;
};

export const SHOP_FIELDS = ["name", "currency", "time_zone"] as const;

export function missingOf(merchant: MerchantView): (typeof SHOP_FIELDS)[number][] {
  return SHOP_FIELDS.filter((field) => merchant[field] === null);
}

export function stepsOf(of: Standing): Step[] {
  const { session, merchant } = of;
  const step = (
    name: StepName,
    isDone: boolean,
    href: string | null,
    more: { text?: string; isAdvised?: boolean } = {},
  ): Step => ({
    name,
    isDone,
    href,
    isAdvised: more.isAdvised ?? false,
    text: more.text ?? (isDone ? `${name}_done` : name),
  });
  const hasLegal = [merchant.imprint, merchant.privacy, merchant.terms].some((one) => one !== null);
  return [
    step("account", session.operator_id !== null, "/console/operators", { isAdvised: true }),
    step("shop", missingOf(merchant).length === 0, "/console/shop-settings"),
    step("look", merchant.logo !== null && merchant.accent !== null, "/console/shop-settings", {
      text: lookText(merchant),
      isAdvised: true,
    }),
    step("languages", merchant.languages !== null, "/console/shop-settings", { isAdvised: true }),
    step("legal", hasLegal, "/console/shop-settings"),
    step("payments", session.takes_payments || session.has_desk, "/console/payment-provider", {
      text: paymentText(session),
      // What is published without one is free, or paid elsewhere.
      isAdvised: of.isPublished,
    }),
    step("mail", session.sends_mail, "/console/mails", {
      isAdvised: true,
      ...(session.has_outbox && !session.sends_mail && { text: "mail_outbox" }),
    }),
    step("hall", of.hasHall, hallPath(of), { isAdvised: of.team !== null }),
    step("event", of.event !== null, "/console/programme/new", { isAdvised: of.team !== null }),
    step("date", of.date !== null, datePath(of), { isAdvised: of.team !== null }),
    step("publish", of.isPublished, publishPath(of)),
    step("sale", of.hasSale, null),
  ];
}

function lookText({ logo, accent }: MerchantView): string {
  if (logo === null) return accent === null ? "look" : "look_logo";
  return accent === null ? "look_colour" : "look_done";
}

function paymentText({ takes_payments, pretend_money, has_desk }: Standing["session"]): string {
  if (pretend_money) return "payments_sandbox";
  if (takes_payments) return "payments_done";
  return has_desk ? "payments_desk" : "payments";
}

const hallPath = ({ venue }: Standing) =>
  venue === null ? "/console/programme/venues/new" : `/console/programme/venues/${venue}/new-hall`;

const datePath = ({ event }: Standing) =>
  event === null ? "/console/programme/new" : `/console/programme/events/${event}/new-date`;

function publishPath({ date, team }: Standing): string {
  if (date !== null) return `/console/programme/dates/${date}`;
  return team === null ? "/console/programme" : `/console/appointments/${team}`;
}

/** What still has to be done before the first sale. */
export const openSteps = (steps: readonly Step[]): Step[] =>
  steps.filter(({ isDone, isAdvised }) => !isDone && !isAdvised);
