// A team beside what is paid for an appointment with it, and on its booking: its name and where one comes to.
import { Link } from "wouter";
import type { Resource } from "~/api/schema";
import { Icon } from "~/design";
import { useTeamOf } from "./catalog";
import { teamHref } from "./choice";
import "./appointments.css";

export function TeamSummary({ resource }: { resource: Resource }) {
  const team = useTeamOf(resource.id);
  const place = team === undefined ? "" : [team.address, team.city].filter(Boolean).join(", ");
  return (
    <div className="appt-summary">
      <p className="appt-summary-title">
        <Link href={teamHref(resource.id)}>
          <bdi>{team?.name ?? resource.name}</bdi>
        </Link>
      </p>
      {place !== "" && (
        <p className="appt-fact shop-quiet">
          <Icon name="pin" size={16} /> <bdi>{place}</bdi>
        </p>
      )}
    </div>
  );
}
