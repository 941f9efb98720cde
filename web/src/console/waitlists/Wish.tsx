// What a party would take, in a few lines.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { WaitlistWish, WantedPlace } from "~/api/schema";
import { eventTime } from "~/i18n/format";
import { rangeWords } from "~/shop/rangeWords";
import { resourceQuery } from "../resources";

const PLACES_SHOWN = 3;

export function Wish({ of: wish }: { of: WaitlistWish }) {
  const { t } = useTranslation("waitlists");
  const facts = [
    t("wish.party", { count: wish.party }),
    ...(wish.party > 1 && wish.seating ? [t(`wish.${wish.seating}`)] : []),
    ...(wish.categories ?? []).map((name) => (name === "standard" ? t("wish.standard") : name)),
    ...(wish.price_max === undefined ? [] : [t("wish.has_price_max")]),
  ];
  const more = wish.places.length - PLACES_SHOWN;
  return (
    <div className="console-name">
      <span>{facts.join(" · ")}</span>
      {wish.places.slice(0, PLACES_SHOWN).map((place) => (
        <span key={`${place.resource_id} ${place.from} ${place.to}`} className="console-quiet">
          <Place of={place} />
        </span>
      ))}
      {more > 0 && <span className="console-quiet">{t("and_others", { count: more })}</span>}
    </div>
  );
}

/** What it is called and when it is, by its own clock. What cannot be read is called by its id. */
function Place({ of: { resource_id: id, from, to } }: { of: WantedPlace }) {
  const { data: resource } = useQuery(resourceQuery(id));
  const at = resource?.starts_at ?? null;
  const range =
    resource === undefined
      ? [from, to].filter(Boolean).join(" – ")
      : rangeWords(resource, from, to);
  return (
    <>
      <bdi>{resource?.name ?? id}</bdi>
      {at !== null && <>, {eventTime(at, undefined, resource?.time_zone ?? "UTC")}</>}
      {range !== "" && (
        <>
          , <bdi>{range}</bdi>
        </>
      )}
    </>
  );
}
