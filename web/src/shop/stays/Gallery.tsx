// The pictures of a listing and of its house: the first one large, the others a swipe, an arrow key or
// a button away. Each has its room before it is there.
import { useRef, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { Listing } from "~/api/schema";
import { Icon } from "~/design";
import { StayPicture } from "./StayPicture";

const CARD_WIDTH = 640;
const SIZES = "(min-width: 60rem) 42rem, 100vw";

export function Gallery({ listing }: { listing: Listing }) {
  const { t } = useTranslation("shop_stays");
  const track = useRef<HTMLDivElement>(null);
  const { property } = listing;
  const pictures = [...(listing.pictures ?? []), ...(property.pictures ?? [])];
  if (pictures.length === 0)
    return <StayPicture kind={property.kind} of={listing.id} className="stay-picture-big" />;
  return (
    <div className="stay-gallery">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard */}
      <div ref={track} className="stay-track" role="region" aria-label={t("pictures")} tabIndex={0}>
        {pictures.map(({ id, path, width, height, description }, at) => (
          <img
            // oxlint-disable-next-line react/no-array-index-key -- one may be shown twice
            key={`${id} ${at}`}
            src={path}
            srcSet={`${path}?size=card ${Math.min(CARD_WIDTH, width)}w, ${path} ${width}w`}
            sizes={SIZES}
            width={width}
            height={height}
            alt={description || t("picture", { number: at + 1, of: pictures.length })}
            loading={at === 0 ? "eager" : "lazy"}
            fetchPriority={at === 0 ? "high" : "auto"}
          />
        ))}
      </div>
      {pictures.length > 1 && (
        <div className="stay-gallery-buttons">
          <Step track={track} by={-1} label={t("picture_before")} />
          <Step track={track} by={1} label={t("picture_after")} />
        </div>
      )}
    </div>
  );
}

type StepProps = { track: RefObject<HTMLDivElement | null>; by: -1 | 1; label: string };

function Step({ track, by, label }: StepProps) {
  const go = () => {
    const of = track.current;
    if (of === null) return;
    const isRtl = getComputedStyle(of).direction === "rtl";
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const left = of.clientWidth * by * (isRtl ? -1 : 1);
    of.scrollBy({ left, behavior: isCalm ? "instant" : "smooth" });
  };
  return (
    <button type="button" className="button" data-kind="quiet" data-size="small" onClick={go}>
      <Icon name={by === -1 ? "back" : "forward"} size={18} flip />
      <span className="visually-hidden">{label}</span>
    </button>
  );
}
