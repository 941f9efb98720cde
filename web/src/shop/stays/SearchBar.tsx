// What is asked for: where, when, for how many. What is chosen is searched for at once.
import { useTranslation } from "react-i18next";
import { DatesField } from "./DatesField";
import { ROOMS_MAX, type Wishes } from "./filters";
import { PartyField } from "./PartyField";
import { PlaceBox } from "./PlaceBox";

type BarProps = {
  wishes: Wishes;
  today: string;
  onChange: (part: Partial<Wishes>) => void;
};

export function SearchBar({ wishes, today, onChange }: BarProps) {
  const { t } = useTranslation("shop_stays");
  return (
    <div className="stays-bar" role="search" aria-label={t("search")}>
      <PlaceBox value={wishes.place} onChange={onChange} />
      <DatesField wishes={wishes} today={today} onChange={onChange} />
      <PartyField party={wishes} roomsMax={ROOMS_MAX} onChange={onChange} />
    </div>
  );
}
