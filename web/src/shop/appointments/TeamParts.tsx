// What other pages show of appointments. It comes as one file: its parts are shown beside each other.
import type { ComponentProps } from "react";
import { AppointmentBooking } from "./AppointmentBooking";
import { AppointmentLines } from "./AppointmentLines";
import { TeamHeading } from "./TeamHeading";
import { TeamSummary } from "./TeamSummary";

type PartProps =
  | ({ as: "heading" } & ComponentProps<typeof TeamHeading>)
  | ({ as: "summary" } & ComponentProps<typeof TeamSummary>)
  | ({ as: "lines" } & ComponentProps<typeof AppointmentLines>)
  | ({ as: "booking" } & ComponentProps<typeof AppointmentBooking>);

export default function TeamParts(of: PartProps) {
  switch (of.as) {
    case "heading":
      return <TeamHeading resource={of.resource} />;
    case "summary":
      return <TeamSummary resource={of.resource} />;
    case "lines":
      return <AppointmentLines resource={of.resource} lines={of.lines} />;
    case "booking":
      return <AppointmentBooking booking={of.booking} resource={of.resource} />;
  }
}
