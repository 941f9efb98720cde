// When buyers are reminded: up to three numbers of hours before it begins.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { MailReminders } from "~/api/schema";
import { Button, Field, Loaded, useToast } from "~/design";
import { Panel } from "../parts";
import { SaveRefused } from "../saving/SaveRefused";
import { changed } from "../saving/changes";
import { useChange, versionOf } from "../saving/useChange";
import { type DraftForm, noFaults, useDraft } from "../saving/useDraft";
import { api } from "../session";
import { hoursOf, shownHours } from "./text";

const QUERY = ["mail-reminders"];
const readReminders = () => api.GET("/v1/mail-reminders");

export function RemindersPanel() {
  const { t } = useTranslation("console");
  const found = useQuery({
    queryKey: QUERY,
    queryFn: readReminders,
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

type Draft = { readonly hours: readonly string[] };

const hoursOnly = ({ hours }: MailReminders) => ({ hours });

function Hours({ reminders }: { reminders: MailReminders }) {
  const { t } = useTranslation("console");
  const tell = useToast();
  const { began, edition, busy, error, ...form } = useChange(reminders, {
    stale: QUERY,
    key: QUERY,
    read: readReminders,
    send: (body: Partial<MailReminders>, now) =>
      api.PUT("/v1/mail-reminders", { body: { ...hoursOnly(now), ...body, ...versionOf(now) } }),
    own: hoursOnly,
    changeOf: (from, { hours }: Draft) => changed(hoursOnly(from), { hours: hoursOf(hours) }),
  });
  return (
    <HoursForm
      begin={{ hours: shownHours(began.hours) }}
      {...{ edition, busy }}
      refused={<SaveRefused error={error} onAnew={form.loadTheirs} />}
      onSubmit={(draft) => void form.change(draft, () => tell(t("mails.reminders_saved")))}
    />
  );
}

function HoursForm({ begin, edition, busy, refused, onSubmit }: DraftForm<Draft>) {
  const { t } = useTranslation("console");
  const { draft, change, attempt } = useDraft(begin, noFaults, { edition, busy });
  const { hours } = draft;
  return (
    <form
      className="mails-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && attempt()) onSubmit(draft);
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
              change({ hours: hours.map((one, at) => (at === place ? target.value : one)) })
            }
          />
        ))}
        <Button type="submit" kind="quiet" busy={busy}>
          {t("mails.reminders_save")}
        </Button>
      </div>
      {refused}
    </form>
  );
}
