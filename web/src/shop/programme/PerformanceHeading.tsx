// The head of a date that is being bought: picture, title, time and place.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Resource } from "~/api/schema";
import { usePerformance } from "./catalog";
import { PerformanceFacts } from "./PerformanceFacts";
import { Picture } from "./Picture";
import "./programme.css";

export default function PerformanceHeading({ resource }: { resource: Resource }) {
  const { t } = useTranslation("shop_events");
  const { data: date } = usePerformance(resource.id);
  const event = date?.production;
  const hasPicture = event !== undefined && event.picture !== null;
  return (
    <header className="event-heading" data-plain={!hasPicture || undefined}>
      {hasPicture && <Picture title={event.title} picture={event.picture} isFirst />}
      <div className="event-heading-words">
        <p className="event-heading-title">
          {event === undefined ? (
            <bdi>{resource.name}</bdi>
          ) : (
            <Link href={`/events/${event.id}`} title={t("to_event")}>
              <bdi>{event.title}</bdi>
            </Link>
          )}
        </p>
        <PerformanceFacts resource={resource} date={date} />
      </div>
    </header>
  );
}
