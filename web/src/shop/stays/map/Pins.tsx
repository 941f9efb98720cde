// The markers of the map: buttons, in the order in which they are read, from north to south.
import { useTranslation } from "react-i18next";
import type { StayMarker } from "~/api/schema";
import { number } from "~/i18n/format";
import { roundPrice } from "../facts";
import { pixelOf, type Size, type View } from "./mercator";

type PinsProps = {
  pins: readonly StayMarker[];
  view: View;
  size: Size;
  chosen: StayMarker | null;
  onOpen: (pin: StayMarker) => void;
};

const BEYOND = 40;

export function Pins({ pins, view, size, chosen, onOpen }: PinsProps) {
  return (
    <ul role="list" className="stays-map-pins">
      {pins.map((pin) => {
        const { x, y } = pixelOf(pin.lat, pin.lon, view, size);
        const isIn =
          x > -BEYOND && y > -BEYOND && x < size.width + BEYOND && y < size.height + BEYOND;
        return (
          isIn && (
            <li
              key={pin.id ?? `${pin.lat} ${pin.lon}`}
              style={{ transform: `translate(${x}px, ${y}px)` }}
            >
              <Pin
                pin={pin}
                isChosen={chosen?.id !== undefined && chosen.id === pin.id}
                onOpen={onOpen}
              />
            </li>
          )
        );
      })}
    </ul>
  );
}

type PinProps = { pin: StayMarker; isChosen: boolean; onOpen: (pin: StayMarker) => void };

function Pin({ pin, isChosen, onOpen }: PinProps) {
  const { t } = useTranslation("shop_stays");
  const { amount, currency } = pin.price_per_night;
  const price = roundPrice(amount, currency);
  const { property: house, count } = pin;
  const isMany = !house;
  const said = !house
    ? t("pin_many", { count, price })
    : t("pin", { name: count === 1 ? `${pin.name}, ${house.name}` : house.name, price });
  return (
    <button
      type="button"
      className="stays-pin"
      data-many={isMany || undefined}
      aria-label={said}
      // A cluster opens nothing: it brings one nearer.
      {...(!isMany && { "aria-expanded": isChosen })}
      onClick={() => onOpen(pin)}
    >
      {isMany ? number(count) : price}
    </button>
  );
}
