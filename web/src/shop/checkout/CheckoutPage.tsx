// The checkout of one hold: countdown, price, contact and payment. The server has the state, so
// that a reload or another tab shows the same.
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import { Button, ErrorNote, Icon, Note, useToast } from "~/design";
import { eventTime, money } from "~/i18n/format";
import type { HoldView, Resource } from "~/api/schema";
import { bookingOf } from "../holds";
import { PriceParts } from "../PriceParts";
import { Page, PageWait } from "../shell/Page";
import { PageOf } from "../shell/PageOf";
import { UnitList } from "../UnitList";
import { seatsPlan } from "../units";
import { useResource } from "../useResource";
import { useVerticalOf } from "../verticals";
import { VocabularyOf } from "../vocabulary";
import { useBookingByLink } from "../waitlist/useBookingByLink";
import { inWords, wordingOf } from "../wording";
import { takeSecret } from "./bankAction";
import { CHANGE_WORDS } from "./changeWords";
import { againHref, HoldEnded, type End } from "./HoldEnded";
import { HoldClock } from "./HoldClock";
import { PayForm } from "./PayForm";
import { useHold, useHoldVerbs } from "./useHold";
import { usePayment } from "./usePayment";
import { PaymentProgress } from "./PaymentProgress";
import "./checkout.css";

// Whether the hold still stands may be asked again.
const ENDS_WITHOUT: ReadonlySet<string> = new Set(["declined", "elsewhere", "expired", "released"]);

export default function CheckoutPage({ holdId }: { holdId: string }) {
  const { found, isOver } = useHold(holdId);
  const isUnread = found.error !== null;
  useEffect(() => {
    // Nobody else takes a secret out of the address of a hold that cannot be read.
    if (isUnread) takeSecret();
  }, [isUnread]);
  return (
    <PageOf what="hold" query={found}>
      {(hold) => <Checkout hold={hold} isOver={isOver} onChanged={() => void found.refetch()} />}
    </PageOf>
  );
}

type CheckoutProps = { hold: HoldView; isOver: boolean; onChanged: () => void };

function Checkout({ hold, isOver, onChanged }: CheckoutProps) {
  const { t } = useTranslation("shop");
  const [, navigate] = useLocation();
  const { state, isBusy, isResumed, asking, ask, pay } = usePayment(hold.id);
  const verbs = useHoldVerbs(hold.id);
  const resource = useResource(hold.lines[0]?.resource_id ?? "");
  const vertical = useVerticalOf(resource.data?.kind);
  const words = inWords(wordingOf(hold.lines));
  // As the page says from which a stay is changed.
  const isInstead = new URLSearchParams(useSearch()).has("instead_of");
  const changing = useTranslation(isInstead ? CHANGE_WORDS : "shop");
  const isBooked = hold.state === "confirmed" && !isBusy;
  const bookingId =
    state?.kind === "booked" ? state.bookingId : isBooked ? bookingOf(hold.id) : null;
  const byLink = useBookingByLink(hold.id, bookingId !== null);
  useEffect(() => {
    if (bookingId === null || byLink.isLoading || byLink.error !== null) return;
    const isNew = state?.kind === "booked";
    navigate(`/bookings/${bookingId}${isNew ? "?new=1" : ""}`, { replace: true });
  }, [bookingId, byLink.isLoading, byLink.error, state, navigate]);
  const outcome = state?.kind;
  useEffect(() => {
    if (outcome !== undefined && ENDS_WITHOUT.has(outcome)) onChanged();
    // Refetch once for each outcome.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [outcome]);
  if (byLink.error !== null) {
    return (
      <Page title={t("booking.new")} className="shop-narrow">
        <ErrorNote error={byLink.error} onRetry={() => void byLink.refetch()} />
      </Page>
    );
  }
  if (bookingId !== null || resource.isPending || !changing.ready) return <PageWait />;
  const end = endOf(hold, isOver, isBusy, outcome);
  const rule = resource.data?.payment ?? "none";
  const again = (vertical?.againHref ?? againHref)(hold);
  const title = end === null ? t("checkout.title") : t(`ended.${end}`, words);
  return (
    <Page title={title} className="checkout-page">
      <div className="checkout-layout">
        <div className="checkout-main">
          {end !== null && <HoldEnded end={end} hold={hold} href={again} />}
          {end === null && !isBusy && <HoldClock hold={hold} extend={verbs.extend} />}
          {end === null && isInstead && <Note>{changing.t("instead", words)}</Note>}
          {end === null && isBusy && (
            <PaymentProgress {...{ state, isResumed, asking, ask, words }} />
          )}
          {end === null && (
            <div hidden={isBusy}>
              <PayForm
                hold={hold}
                rule={rule}
                state={state}
                isBusy={isBusy}
                onPay={pay}
                resource={resource.data}
                asksPhone={vertical?.asksPhone === true}
                isInstead={isInstead}
              />
            </div>
          )}
        </div>
        <VocabularyOf of={resource.data}>
          <Summary
            hold={hold}
            resource={resource.data}
            isKept={end === null && !isBusy}
            verbs={verbs}
            again={again}
          />
        </VocabularyOf>
      </div>
    </Page>
  );
}

/** How the hold ended, or null. A payment in progress may still confirm it. */
export function endOf(
  hold: Pick<HoldView, "state">,
  isOver: boolean,
  isBusy: boolean,
  outcome: string | undefined,
): End | null {
  if (outcome === "returned") return "returned";
  if (isBusy) return null;
  if (hold.state === "released" || outcome === "released") return "released";
  return isOver || outcome === "expired" ? "expired" : null;
}

type SummaryProps = {
  hold: HoldView;
  resource: Resource | undefined;
  isKept: boolean;
  verbs: ReturnType<typeof useHoldVerbs>;
  /** Where something else can be chosen. */
  again: string;
};

function Summary({ hold, resource, isKept, verbs, again }: SummaryProps) {
  const { t } = useTranslation("shop");
  const [, navigate] = useLocation();
  const tell = useToast();
  const { ResourceSummary: Heading, Lines } = useVerticalOf(resource?.kind) ?? {};
  const wording = wordingOf(hold.lines);
  const words = inWords(wording);
  const giveBack = (href: string) =>
    verbs.release.mutate(undefined, {
      onSuccess: () => {
        tell(t("checkout.given_back", words));
        navigate(href);
      },
    });
  return (
    <aside className="card checkout-summary" aria-labelledby="summary-title">
      <h2 id="summary-title" className="visually-hidden">
        {t("checkout.summary")}
      </h2>
      {resource !== undefined &&
        (Heading !== undefined ? (
          <Heading resource={resource} />
        ) : (
          <div>
            <p className="checkout-what">
              <bdi>{resource.name}</bdi>
            </p>
            {resource.starts_at !== null && (
              <p className="shop-quiet">
                {eventTime(resource.starts_at, undefined, resource.time_zone)}
              </p>
            )}
          </div>
        ))}
      {resource !== undefined && Lines !== undefined ? (
        <Lines resource={resource} lines={hold.lines} />
      ) : (
        <UnitList plan={seatsPlan(resource)} lines={hold.lines} of={resource} />
      )}
      {hold.quote !== null ? (
        <PriceParts quote={hold.quote} wording={wording} />
      ) : (
        <p className="checkout-total">
          <span>{t("price.total")}</span>
          <strong className="tabular">{money(hold.amount.amount, hold.amount.currency)}</strong>
        </p>
      )}
      {isKept && (
        <div className="checkout-summary-actions">
          <Button
            kind="quiet"
            size="small"
            busy={verbs.release.isPending}
            onClick={() => giveBack(again)}
          >
            <Icon name={wording === "usual" ? "seat" : "shows"} size={18} />{" "}
            {t("checkout.other_seats", words)}
          </Button>
          <Button
            kind="bare"
            size="small"
            busy={verbs.release.isPending}
            onClick={() => giveBack("/")}
          >
            {t("checkout.give_back", words)}
          </Button>
        </div>
      )}
      {verbs.release.isError && <ErrorNote error={verbs.release.error} />}
    </aside>
  );
}
