// Who is coming: how many adults, children with their ages, and in how many rooms.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, Dialog, Icon, Select } from "~/design";
import { comma, number } from "~/i18n/format";
import { Stepper } from "../Stepper";
import { ADULT_AGE, CHILDREN_MAX, GUESTS_MAX, type Party } from "./filters";

type FieldProps = {
  party: Party;
  roomsMax: number;
  onChange: (party: Party) => void;
};

/** The age that a child has until it is said. */
const AGE_FIRST = 8;
const AGES = Array.from({ length: ADULT_AGE }, (_, age) => age);

export function PartyField({ party, roomsMax, onChange }: FieldProps) {
  const { t } = useTranslation("shop_stays");
  const [isOpen, setOpen] = useState(false);
  const { guests, ages, rooms } = party;
  const text = [
    t("guests", { count: guests }),
    ages.length > 0 && t("of_them_children", { count: ages.length }),
    rooms > 1 && t("rooms", { count: rooms }),
  ];
  return (
    <>
      <button type="button" className="stays-field" onClick={() => setOpen(true)}>
        <Icon name="person" size={18} />
        <span className="visually-hidden">{t("who")}: </span>
        <span>{text.filter(Boolean).join(comma())}</span>
      </button>
      <Dialog
        open={isOpen}
        title={t("who")}
        onClose={() => setOpen(false)}
        actions={<Button onClick={() => setOpen(false)}>{t("done")}</Button>}
      >
        <PartySteppers party={party} roomsMax={roomsMax} onChange={onChange} />
      </Dialog>
    </>
  );
}

function PartySteppers({ party: { guests, ages, rooms }, roomsMax, onChange }: FieldProps) {
  const { t } = useTranslation("shop_stays");
  const adults = guests - ages.length;
  const change = (count: number, children: readonly number[], wanted = rooms) => {
    const all = count + children.length;
    onChange({ guests: all, ages: children, rooms: Math.min(wanted, all) });
  };
  return (
    <div className="stays-steppers">
      <Stepper
        label={t("adults_label")}
        value={adults}
        max={GUESTS_MAX - ages.length}
        onChange={(count) => change(count, ages)}
      />
      <Stepper
        label={t("children_label")}
        value={ages.length}
        min={0}
        max={Math.min(CHILDREN_MAX, GUESTS_MAX - adults)}
        onChange={(count) =>
          change(adults, count > ages.length ? [...ages, AGE_FIRST] : ages.slice(0, count))
        }
      />
      {ages.map((age, place) => (
        <Select
          // oxlint-disable-next-line react/no-array-index-key -- children have no other name
          key={place}
          label={t("age_of", { number: place + 1 })}
          value={age}
          onChange={(event) => change(adults, ages.with(place, Number(event.target.value)))}
        >
          {AGES.map((one) => (
            <option key={one} value={one}>
              {one === 0 ? t("age_baby") : number(one)}
            </option>
          ))}
        </Select>
      ))}
      {roomsMax > 1 && (
        <Stepper
          label={t("rooms_label")}
          value={rooms}
          max={Math.min(roomsMax, guests)}
          onChange={(count) => change(adults, ages, count)}
        />
      )}
    </div>
  );
}
