// The form that fits what is sold: places, nights, times, or legs of a run.
import type { PublicWaitlist, Resource } from "~/api/schema";
import { askedOf } from "./choices";
import { NightsForm, type WishedStay } from "./NightsForm";
import { PlacesForm } from "./PlacesForm";
import { TimesForm } from "./TimesForm";
import "./waitlist.css";

type FormProps = { resource: Resource; list: PublicWaitlist; stay?: WishedStay };

export default function JoinForm({ resource, list, stay }: FormProps) {
  switch (askedOf(resource)) {
    case "places":
    case "legs":
      return <PlacesForm resource={resource} list={list} />;
    case "nights":
      return <NightsForm resource={resource} list={list} stay={stay ?? null} />;
    case "times":
      return <TimesForm resource={resource} list={list} />;
    default:
      return null;
  }
}
