// A new event: what it is. Its dates come next.
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { useToast } from "~/design";
import { PageHead } from "../parts";
import { EventForm } from "./EventForm";

export function NewEventPage() {
  const { t } = useTranslation("programme");
  const [, go] = useLocation();
  const tell = useToast();
  return (
    <>
      <PageHead
        title={t("events.new")}
        lead={t("events.new_lead")}
        back={{ href: "/console/programme", label: t("events.title") }}
      />
      <EventForm
        event={null}
        onSaved={({ id }) => {
          tell(t("event.made"));
          go(`/console/programme/events/${id}`, { replace: true });
        }}
      />
    </>
  );
}
