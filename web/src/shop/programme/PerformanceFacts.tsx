// When and where a date is. A resource of this kind that the programme does not know says it itself.
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Performance, Resource } from "~/api/schema";
import { Icon } from "~/design";
import { dateTime, eventTime } from "~/i18n/format";

type FactsProps = {
  resource: Resource;
  date: Performance | null | undefined;
  hasAddress?: boolean;
};

const WHEN = {
  weekday: "long",
  day: "numeric",
  month: "long",
  hour: "numeric",
  minute: "2-digit",
} as const;
const CLOCK = { hour: "numeric", minute: "2-digit" } as const;

export function PerformanceFacts({ resource, date, hasAddress = false }: FactsProps) {
  const { t } = useTranslation("shop_events");
  const said = (name: string) => textOf(resource, name);
  const doors = date === null || date === undefined ? said("doors_at") : date.doors_at;
  const note = date?.note ?? said("note") ?? "";
  const place = [date?.venue.name ?? said("venue"), date?.hall.name ?? said("hall")];
  const address = [date?.venue.address ?? said("address"), date?.venue.city ?? said("city")];
  return (
    <>
      {resource.starts_at !== null && (
        <Fact icon="clock">
          {eventTime(resource.starts_at, WHEN, resource.time_zone)}
          {doors !== null && (
            <span className="shop-quiet">
              {t("doors", { time: dateTime(doors, CLOCK, resource.time_zone) })}
            </span>
          )}
        </Fact>
      )}
      {place.some(Boolean) && (
        <Fact icon="pin">
          <bdi>{place.filter(Boolean).join(" · ")}</bdi>
          {hasAddress && (
            <span className="shop-quiet">
              <bdi>{address.filter(Boolean).join(", ")}</bdi>
            </span>
          )}
        </Fact>
      )}
      {note !== "" && (
        <p className="event-note">
          <bdi>{note}</bdi>
        </p>
      )}
    </>
  );
}

function Fact({ icon, children }: { icon: "clock" | "pin"; children: ReactNode }) {
  return (
    <p className="event-fact">
      <Icon name={icon} size={17} /> <span>{children}</span>
    </p>
  );
}

function textOf(resource: Resource, name: string): string | null {
  const value = resource.attributes[name];
  return typeof value === "string" && value !== "" ? value : null;
}
