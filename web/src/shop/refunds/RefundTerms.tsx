// The cancellation terms in words: of a show, of a hold before it is ordered, of a booking.
import { useQuery } from "@tanstack/react-query";
import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { BookingView, HoldView, RefundPolicy, Resource } from "~/api/schema";
import { comma, dateTime, money, number } from "~/i18n/format";
import { useShop } from "../session";
import { leftLines } from "../bookings/leftLines";
import { useResource } from "../useResource";
import { useNamed, VocabularyOf } from "../vocabulary";
import { wordsOfAmounts, wordsOfShares, type StepWords } from "./steps";
import "./refunds.css";

const WHEN = { dateStyle: "medium", timeStyle: "short" } as const;
const ALL = 10_000;

type Sold = Pick<Resource, "id" | "payment" | "pricing" | "time_zone"> & { version?: number };

/** Of a show, for who has not chosen yet. */
export function ShowRefundTerms({ resource }: { resource: Sold }) {
  const { api } = useShop();
  const found = useQuery({
    queryKey: ["refund-terms", resource.id, resource.version],
    queryFn: () =>
      api.GET("/v1/resources/{resource_id}/refund-terms", { path: { resource_id: resource.id } }),
  });
  const policies = found.data?.policies ?? [];
  if (policies.length === 0 || resource.payment !== "required") return null;
  const hasFees = (resource.pricing?.fees ?? []).length > 0;
  const [last, ...others] = policies.toReversed();
  return (
    <Terms>
      {last !== undefined && (
        <Policy policy={last} hasFees={hasFees} timeZone={resource.time_zone} />
      )}
      {others.length > 0 && (
        <Others
          resourceId={resource.id}
          policies={others.toReversed()}
          hasFees={hasFees}
          timeZone={resource.time_zone}
        />
      )}
    </Terms>
  );
}

type OthersProps = Omit<PolicyProps, "policy"> & {
  resourceId: string;
  policies: readonly RefundPolicy[];
};

/** Of some rates, categories or units, which are said in the language of the page. */
function Others({ resourceId, policies, ...rest }: OthersProps) {
  const { data: resource } = useResource(resourceId);
  return (
    <VocabularyOf of={resource}>
      {policies.map((policy) => (
        <div key={textsOf(policy).join("\n")}>
          <h4>
            <PolicyName policy={policy} />
          </h4>
          <Policy policy={policy} {...rest} />
        </div>
      ))}
    </VocabularyOf>
  );
}

function PolicyName({ policy }: { policy: RefundPolicy }) {
  const named = useNamed();
  return <bdi>{textsOf(policy).map(named).join(comma())}</bdi>;
}

/** Of a hold, in money, before the order button. */
export function HoldRefundTerms(props: { hold: HoldView; timeZone: string | undefined }) {
  const { api } = useShop();
  const { hold, timeZone } = props;
  const found = useQuery({
    queryKey: ["hold-refund-terms", hold.id],
    queryFn: () => api.GET("/v1/holds/{hold_id}/refund-terms", { path: { hold_id: hold.id } }),
  });
  const steps = found.data?.steps ?? [];
  if (steps.length === 0) return null;
  return (
    <Terms>
      <Steps
        words={wordsOfAmounts(steps, hold.amount.amount)}
        currency={hold.amount.currency}
        timeZone={timeZone}
      />
    </Terms>
  );
}

/** What cancelling what is left of a booking would give back, where it was paid for. */
export function useRefundQuote(booking: BookingView) {
  const { api } = useShop();
  const left = leftLines(booking).length;
  return useQuery({
    queryKey: ["booking-refund-terms", booking.id, left],
    enabled: booking.payment !== null && left > 0,
    queryFn: () =>
      api.POST("/v1/bookings/{booking_id}/refund-quote", {
        path: { booking_id: booking.id },
        body: { lines: null },
      }),
  });
}

/** Of what is left of a booking that was paid for. */
export function BookingRefundTerms(props: { booking: BookingView; timeZone: string | undefined }) {
  const { booking, timeZone } = props;
  const steps = useRefundQuote(booking).data?.steps ?? [];
  if (booking.payment === null || leftLines(booking).length === 0 || steps.length === 0)
    return null;
  return (
    <Terms>
      <Steps
        words={wordsOfAmounts(steps, booking.payment.amount.amount)}
        currency={booking.amount.currency}
        timeZone={timeZone}
      />
    </Terms>
  );
}

function Terms({ children }: { children: ReactNode }) {
  const { t } = useTranslation("shop");
  const id = useId();
  return (
    <section className="refund-terms" aria-labelledby={id}>
      <h3 id={id}>{t("terms.title")}</h3>
      {children}
    </section>
  );
}

type PolicyProps = { policy: RefundPolicy; hasFees: boolean; timeZone: string };

function Policy({ policy, hasFees, timeZone }: PolicyProps) {
  const { t } = useTranslation("shop");
  const words = wordsOfShares(policy.steps);
  const givesAnything = words.some(({ say }) => say !== "none");
  return (
    <>
      <Steps words={words} currency={null} timeZone={timeZone} />
      {hasFees && givesAnything && !policy.fees_back && (
        <p className="shop-quiet">{t("terms.fees_kept")}</p>
      )}
    </>
  );
}

type StepsProps = {
  words: readonly StepWords[];
  currency: string | null;
  timeZone: string | undefined;
};

function Steps({ words, currency, timeZone }: StepsProps) {
  const { t } = useTranslation("shop");
  return (
    <ul role="list">
      {words.map((step) => {
        const what =
          step.say === "part" && step.amount !== null && currency !== null
            ? t("terms.amount", { amount: money(step.amount, currency) })
            : t(`terms.${step.say}`, {
                share: number(step.share / ALL, { style: "percent", maximumFractionDigits: 2 }),
              });
        const when =
          step.when === "before" && step.before !== null
            ? t(`terms.before_${step.before.unit}`, { count: step.before.count })
            : step.when === "until" && step.until !== null
              ? t("terms.until", { until: dateTime(step.until, WHEN, timeZone) })
              : t(`terms.${step.when}`);
        return (
          <li key={`${step.when} ${step.until} ${step.before?.count} ${step.share}`}>
            <span>{when}</span>
            <strong>{what}</strong>
          </li>
        );
      })}
    </ul>
  );
}

function textsOf({ units, categories, rates }: RefundPolicy): string[] {
  return [...rates, ...categories, ...units];
}
