// The calendar of a listing: what each night costs, on which days one can arrive, and until when one can stay; days
// that are good for neither say why.
import { useTranslation } from "react-i18next";
import type { CalendarNight, Listing } from "~/api/schema";
import { money } from "~/i18n/format";
import { shortPrice } from "./facts";
import { canArrive, dayUse, nightsOf, withDay, type Calendar, type Range } from "./range";
import { RangeCalendar, type DayFacts } from "./RangeCalendar";

type CalendarProps = {
  listing: Listing;
  calendar: Calendar;
  today: string;
  month: string;
  range: Range;
  onMonth: (month: string) => void;
  onChange: (range: Range) => void;
};

export function ListingCalendar(props: CalendarProps) {
  const { t } = useTranslation("shop_stays");
  const { listing, calendar, range } = props;
  const { currency } = listing.price;
  const factsOf = useFacts(calendar, range, currency);
  const start = range.end === "" ? calendar.get(range.start) : undefined;
  return (
    <section aria-labelledby="stay-nights" className="stay-nights">
      <h2 id="stay-nights">{t("calendar")}</h2>
      <p role="status" className="shop-quiet">
        <Hint range={range} start={start} />
      </p>
      <RangeCalendar
        label={t("calendar")}
        today={props.today}
        last={listing.calendar?.last_departure ?? props.today}
        month={props.month}
        range={range}
        factsOf={factsOf}
        onMonth={props.onMonth}
        onDay={(day) => props.onChange(withDay(day, calendar, range))}
      />
    </section>
  );
}

function Hint({ range, start }: { range: Range; start: CalendarNight | undefined }) {
  const { t } = useTranslation("shop_stays");
  const nights = nightsOf(range);
  if (nights > 0) return t("nights", { count: nights });
  if (range.start === "") return t("choose_arrival");
  const least = start?.min_nights ?? 1;
  return (
    <>
      {t("choose_departure")} {least > 1 && t("least_nights", { count: least })}
    </>
  );
}

/** What is said of each day. A day on which one leaves needs no free night of its own. */
function useFacts(calendar: Calendar, range: Range, currency: string) {
  const { t } = useTranslation("shop_stays");
  return (day: string): DayFacts => {
    const night = calendar.get(day);
    const use = dayUse(day, calendar, range);
    const isLeaving = range.start !== "" && range.end === "" && day > range.start;
    const isTaken = night !== undefined && night.free === 0;
    const facts = { isTaken, ...priceOf(night, currency) };
    if (use === "departure") return { ...facts, isOpen: true, note: t("can_leave") };
    // Who wants to begin anew on another day may.
    const isOpen = use === "arrival" || (isLeaving && canArrive(night));
    if (!isOpen) return { ...facts, isOpen, note: whyNot(night) };
    const least = night?.min_nights ?? 1;
    const note = least > 1 ? { note: t("least_nights", { count: least }) } : {};
    return { ...facts, isOpen, ...note };
  };

  function whyNot(night: CalendarNight | undefined): string {
    return t([`reasons.${night?.reason ?? "none"}`, "reasons.none"]);
  }
}

/** What a night costs that can be had. */
function priceOf(night: CalendarNight | undefined, currency: string): Pick<DayFacts, "price"> {
  if (night === undefined || night.free === 0 || night.closed) return {};
  const { price } = night;
  return { price: { short: shortPrice(price, currency), long: money(price, currency) } };
}
