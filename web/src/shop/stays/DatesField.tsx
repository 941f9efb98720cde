// When: exact dates, with some days earlier or later, or any stay of some nights in a month.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, Dialog, Icon, Select } from "~/design";
import { monthOf } from "../calendar/month";
import { addDays } from "../days";
import { daysText } from "../nights";
import { lengthOf, monthText, NO_ANY_STAY } from "./anyStay";
import { AnyStayChoice } from "./AnyStayChoice";
import type { Wishes } from "./filters";
import { freeRange, NO_RANGE, nightsOf, type Range } from "./range";
import { RangeCalendar } from "./RangeCalendar";

type DatesProps = {
  wishes: Wishes;
  today: string;
  onChange: (part: Partial<Wishes>) => void;
};

const AHEAD_DAYS = 730;
const FLEXIBLE = [0, 1, 3, 7] as const;
const WAYS = ["dates", "month"] as const;

export function DatesField({ wishes, today, onChange }: DatesProps) {
  const { t } = useTranslation("shop_stays");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="stays-field" onClick={() => setOpen(true)}>
        <Icon name="shows" size={18} />
        <span className="visually-hidden">{t("when")}: </span>
        <DatesWords wishes={wishes} />
      </button>
      <Dialog open={isOpen} title={t("when")} onClose={() => setOpen(false)}>
        <ChooseWhen
          wishes={wishes}
          today={today}
          onChange={onChange}
          onChosen={(part) => {
            setOpen(false);
            onChange(part);
          }}
        />
      </Dialog>
    </>
  );
}

function DatesWords({ wishes }: { wishes: Wishes }) {
  const { t } = useTranslation("shop_stays");
  const { start, end, flexible, month, nights } = wishes;
  if (month !== "") {
    const length = lengthOf(wishes);
    const long = length === undefined ? t("nights", { count: nights }) : t(`lengths.${length}`);
    return (
      <span>
        {long} · {monthText(month)}
      </span>
    );
  }
  return (
    <span>
      {start === "" ? t("any_dates") : daysText(start, end)}
      {start !== "" && flexible > 0 && ` ${t("plus_minus", { count: flexible })}`}
    </span>
  );
}

type WhenProps = DatesProps & { onChosen: (part: Partial<Wishes>) => void };

function ChooseWhen({ wishes, today, onChange, onChosen }: WhenProps) {
  const { t } = useTranslation("shop_stays");
  const { start, end, flexible } = wishes;
  const [way, setWay] = useState<(typeof WAYS)[number]>(wishes.month === "" ? "dates" : "month");
  return (
    <>
      <div className="stays-choices" role="group" aria-label={t("when")}>
        {WAYS.map((one) => (
          <button
            key={one}
            type="button"
            className="stays-chip"
            aria-pressed={one === way}
            onClick={() => setWay(one)}
          >
            {t(`ways.${one}`)}
          </button>
        ))}
      </div>
      {way === "dates" ? (
        <ChooseDates
          first={{ start, end }}
          flexible={flexible}
          today={today}
          onFlexible={(days) => onChange({ flexible: days })}
          onChosen={(range) => onChosen({ ...range, ...NO_ANY_STAY })}
        />
      ) : (
        <AnyStayChoice
          first={wishes}
          today={today}
          onChosen={({ month, nights, arrive }) =>
            onChosen({ ...NO_RANGE, flexible: 0, month, nights, arrive })
          }
        />
      )}
      {(start !== "" || wishes.month !== "") && (
        <Button kind="quiet" size="small" onClick={() => onChosen({ ...NO_RANGE, ...NO_ANY_STAY })}>
          {t("clear_dates")}
        </Button>
      )}
    </>
  );
}

type ChooseProps = {
  first: Range;
  flexible: number;
  today: string;
  onFlexible: (days: number) => void;
  onChosen: (range: Range) => void;
};

function ChooseDates({ first, flexible, today, onFlexible, onChosen }: ChooseProps) {
  const { t } = useTranslation("shop_stays");
  const [range, setRange] = useState(first);
  const [month, setMonth] = useState(() => monthOf(first.start === "" ? today : first.start));
  const nights = nightsOf(range);
  const choose = (day: string) => {
    const next = freeRange(day, today, range);
    setRange(next);
    if (next.end !== "") onChosen(next);
  };
  return (
    <>
      <RangeCalendar
        label={t("when")}
        today={today}
        last={addDays(today, AHEAD_DAYS)}
        month={month}
        range={range}
        factsOf={() => ({ isOpen: true })}
        onMonth={setMonth}
        onDay={choose}
      />
      <p role="status" className="shop-quiet">
        {range.start === ""
          ? t("choose_arrival")
          : nights === 0
            ? t("choose_departure")
            : t("nights", { count: nights })}
      </p>
      <Select
        label={t("flexible")}
        value={flexible}
        onChange={(event) => onFlexible(Number(event.target.value))}
      >
        {FLEXIBLE.map((count) => (
          <option key={count} value={count}>
            {count === 0 ? t("exact") : t("plus_minus_days", { count })}
          </option>
        ))}
      </Select>
    </>
  );
}
