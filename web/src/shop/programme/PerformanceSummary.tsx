// A date beside what is paid for it, and on its booking.
import type { Resource } from "~/api/schema";
import { usePerformance } from "./catalog";
import { PerformanceFacts } from "./PerformanceFacts";
import "./programme.css";

export default function PerformanceSummary({ resource }: { resource: Resource }) {
  const { data: date } = usePerformance(resource.id);
  return (
    <div className="event-summary">
      <p className="event-summary-title">
        <bdi>{date?.production.title ?? resource.name}</bdi>
      </p>
      <PerformanceFacts resource={resource} date={date} hasAddress />
    </div>
  );
}
