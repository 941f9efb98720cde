// What was chosen on the map, in short, with the way to its page.
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { StayMarker } from "~/api/schema";
import { Icon } from "~/design";
import { money } from "~/i18n/format";
import { listingHref, type Wishes } from "../filters";
import { FirstPicture } from "../FirstPicture";
import { Rating } from "../Rating";
import { daysText } from "../../nights";

type CardProps = { pin: StayMarker; wishes: Wishes; onClose: () => void };

export function PinCard({ pin, wishes, onClose }: CardProps) {
  const { t } = useTranslation("shop_stays");
  const card = useRef<HTMLElement>(null);
  const { property: house, price_per_night: night, count } = pin;
  const id = pin.id ?? "";
  const { start, end } = { start: pin.start ?? "", end: pin.end ?? "" };
  useEffect(() => {
    const from = document.activeElement;
    card.current?.querySelector("a")?.focus({ preventScroll: true });
    return () => {
      if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    const frame = card.current;
    const leave = (event: KeyboardEvent) => event.key === "Escape" && onClose();
    frame?.addEventListener("keydown", leave);
    return () => frame?.removeEventListener("keydown", leave);
  }, [onClose]);
  if (!house) return null;
  return (
    <section ref={card} className="stays-pin-card" aria-label={house.name}>
      <FirstPicture picture={pin.picture} kind={house.kind} of={id} />
      <div>
        <p className="stays-over">{t(`kinds.${house.kind}`)}</p>
        <Link href={listingHref(id, { ...wishes, start, end })} className="stays-card-link">
          <strong>
            <bdi>{pin.name}</bdi>
          </strong>
        </Link>
        <p>
          <bdi>{house.name}</bdi>
        </p>
        <Rating of={house} />
        <p>
          <strong className="tabular">{money(night.amount, night.currency)}</strong>{" "}
          <span className="shop-quiet">{t("a_night")}</span>
        </p>
        {start !== "" && start !== wishes.start && (
          <p className="stays-moved">{daysText(start, end)}</p>
        )}
        {count > 1 && <p className="shop-quiet">{t("pin_more", { count: count - 1 })}</p>}
      </div>
      <button
        type="button"
        className="stays-pin-close"
        aria-label={t("pin_close")}
        onClick={onClose}
      >
        <Icon name="close" size={18} />
      </button>
    </section>
  );
}
