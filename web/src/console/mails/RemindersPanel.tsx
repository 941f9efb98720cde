// When buyers are reminded: up to three numbers of hours before it begins.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { MailReminders } from "~/api/schema";
import { Button, ErrorNote, Field, Loaded, useToast } from "~/design";
import { Panel } from "../parts";
import { api } from "../session";
import { hoursOf, shownHours } from "./text";

export function RemindersPanel() {
  const { t } = useTranslation("console");
  const found = useQuery({
    queryKey: ["mail-reminders"],
    queryFn: () => api.GET("/v1/mail-reminders"),
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  return (
    <Panel title={t("mails.reminders")}>
      <Loaded of={found} height="6rem">
        {(data) => <Hours reminders={data} />}
      </Loaded>
    </Panel>
  );
}

function Hours({ reminders }: { reminders: MailReminders }) {
  const { t } = useTranslation("console");
  const tell = useToast();
  const [hours, setHours] = useState(() => shownHours(reminders.hours));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      const body = { hours: hoursOf(hours) };
      setHours(shownHours((await api.PUT("/v1/mail-reminders", { body })).hours));
      tell(t("mails.reminders_saved"));
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="mails-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void save();
      }}
    >
      <p className="console-quiet">{t("mails.reminders_lead")}</p>
      <div className="mails-hours">
        {hours.map((value, place) => (
          <Field
            // The places are what there is: three, whatever stands in them.
            key={`hours ${place}`}
            label={t("mails.hours_before", { place: place + 1 })}
            type="number"
            min={1}
            max={720}
            step={1}
            value={value}
            onChange={({ target }) =>
              setHours(hours.map((one, at) => (at === place ? target.value : one)))
            }
          />
        ))}
        <Button type="submit" kind="quiet" busy={busy}>
          {t("mails.reminders_save")}
        </Button>
      </div>
      {error !== null && <ErrorNote error={error} />}
    </form>
  );
}
