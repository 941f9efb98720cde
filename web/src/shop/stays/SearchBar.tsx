// What is asked for: where, when, for how many. What is chosen is searched for at once.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, Dialog, Icon, Select } from "~/design";
import { monthOf } from "../calendar/month";
import { addDays } from "../days";
import { daysText } from "../nights";
import { ROOMS_MAX, type Wishes } from "./filters";
import { PartyField } from "./PartyField";
import { PlaceBox } from "./PlaceBox";
import { freeRange, NO_RANGE, nightsOf, type Range } from "./range";
import { RangeCalendar } from "./RangeCalendar";

type BarProps = {
  wishes: Wishes;
  today: string;
  onChange: (part: Partial<Wishes>) => void;
};

const AHEAD_DAYS = 730;
const FLEXIBLE = [0, 1, 3, 7] as const;

export function SearchBar({ wishes, today, onChange }: BarProps) {
  const { t } = useTranslation("shop_stays");
  return (
    <div className="stays-bar" role="search" aria-label={t("search")}>
      <PlaceBox value={wishes.place} onChange={onChange} />
      <Dates wishes={wishes} today={today} onChange={onChange} />
      <PartyField party={wishes} roomsMax={ROOMS_MAX} onChange={onChange} />
    </div>
  );
}

function Dates({ wishes, today, onChange }: BarProps) {
  const { t } = useTranslation("shop_stays");
  const [isOpen, setOpen] = useState(false);
  const { start, end } = wishes;
  const text = start === "" ? t("any_dates") : daysText(start, end);
  return (
    <>
      <button type="button" className="stays-field" onClick={() => setOpen(true)}>
        <Icon name="shows" size={18} />
        <span className="visually-hidden">{t("when")}: </span>
        <span>
          {text}
          {start !== "" && wishes.flexible > 0 && ` ${t("plus_minus", { count: wishes.flexible })}`}
        </span>
      </button>
      <Dialog open={isOpen} title={t("when")} onClose={() => setOpen(false)}>
        <ChooseDates
          first={{ start, end }}
          flexible={wishes.flexible}
          today={today}
          onFlexible={(flexible) => onChange({ flexible })}
          onChosen={(range) => {
            setOpen(false);
            onChange(range);
          }}
        />
      </Dialog>
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
      {first.start !== "" && (
        <Button kind="quiet" size="small" onClick={() => onChosen(NO_RANGE)}>
          {t("clear_dates")}
        </Button>
      )}
    </>
  );
}
