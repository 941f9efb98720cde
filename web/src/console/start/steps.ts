// The way from an empty server to the first sale, as steps that know from the API whether they are
// done. What is advised may be left for later.
import type { ConsoleSessionView } from "~/api/internal";
import type { MerchantView } from "~/api/schema";
import type { Way, WayStanding } from "./ways";

export type Step = {
  readonly name: string;
  readonly isDone: boolean;
  readonly isAdvised: boolean;
  /** Which of the texts says how it stands. */
  readonly text: string;
  /** Where it is done; null: not in the console. */
  readonly href: string | null;
  /** Where who sells something else begins instead. */
  readonly instead: readonly Pick<Way, "name" | "href">[];
};

/** A kind of business of this workspace, and how it stands; null: nothing of it is there. */
export type WayFound = Pick<Way, "name" | "href"> & { readonly standing: WayStanding | null };

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
  /** The other kinds of business. */
  readonly ways: readonly WayFound[];
  /** Of its dates. */
  readonly isPublished: boolean;
  readonly hasSale: boolean;
};

export const SHOP_FIELDS = ["name", "currency", "time_zone"] as const;

export function missingOf(merchant: MerchantView): (typeof SHOP_FIELDS)[number][] {
  return SHOP_FIELDS.filter((field) => merchant[field] === null);
}

type More = Partial<Pick<Step, "text" | "isAdvised" | "instead">>;

const step = (name: string, isDone: boolean, href: string | null, more: More = {}): Step => ({
  name,
  isDone,
  href,
  isAdvised: more.isAdvised ?? false,
  text: more.text ?? (isDone ? `${name}_done` : name),
  instead: more.instead ?? [],
});

export function stepsOf(of: Standing): Step[] {
  const { session, merchant } = of;
  const isPublished = of.isPublished || begun(of).some((way) => way.isPublished);
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
      isAdvised: isPublished,
    }),
    step("mail", session.sends_mail, "/console/mails", {
      isAdvised: true,
      ...(session.has_outbox && !session.sends_mail && { text: "mail_outbox" }),
    }),
    ...(hasEvents(of) ? eventSteps(of) : []),
    ...begun(of).flatMap((way) => wayStepsOf(of, way)),
    // Some are known only while they are to come: those that were sold were published.
    step("publish", isPublished || of.hasSale, publishPath(of)),
    step("sale", of.hasSale, null),
  ];
}

const begun = ({ ways }: Standing): WayStanding[] => ways.flatMap(({ standing }) => standing ?? []);

const isReady = ({ publish }: WayStanding) => publish !== null;

/** Who has begun a business with steps of its own needs none, unless they have begun with them as well. */
const hasEvents = (of: Standing) =>
  begun(of).every(({ steps }) => steps.length === 0) ||
  of.hasHall ||
  [of.venue, of.event, of.date].some((id) => id !== null);

/** May be left, once something else can be published. */
function eventSteps(of: Standing): Step[] {
  const isAdvised = begun(of).some(isReady);
  const isFirst = begun(of).length === 0 && of.venue === null;
  const instead = isFirst ? of.ways : [];
  return [
    step("hall", of.hasHall, hallPath(of), {
      isAdvised,
      instead,
      ...(!of.hasHall && instead.length > 0 && { text: "hall_first" }),
    }),
    step("event", of.event !== null, "/console/programme/new", { isAdvised }),
    step("date", of.date !== null, datePath(of), { isAdvised }),
  ];
}

function wayStepsOf(of: Standing, way: WayStanding): Step[] {
  const isAdvised = of.date !== null || begun(of).some((other) => other !== way && isReady(other));
  return way.steps.map(({ name, isDone, href, text, isDoneOnceSold }) => {
    const isPast = isDoneOnceSold === true && of.hasSale;
    return step(name, isDone || isPast, href, { isAdvised, ...(text !== undefined && { text }) });
  });
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

function publishPath(of: Standing): string {
  if (of.date !== null) return `/console/programme/dates/${of.date}`;
  const [ready] = begun(of).flatMap(({ publish }) => publish ?? []);
  if (ready !== undefined) return ready;
  return of.ways.find(({ standing }) => standing !== null)?.href ?? "/console/programme";
}

/** What still has to be done before the first sale. */
export const openSteps = (steps: readonly Step[]): Step[] =>
  steps.filter(({ isDone, isAdvised }) => !isDone && !isAdvised);
