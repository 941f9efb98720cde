// The links to the calendar of a show, and to make one: its address is shown once.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Field, Icon, useNow } from "~/design";
import { ActButton, Panel, SecretDialog } from "../parts";
import { api, useOwnSession } from "../session";
import { CALENDAR_LINKS, CalendarLinks } from "./CalendarLinks";
import { secondsUntil } from "./linkEnd";

export function ShowCalendar({ resource }: { resource: string }) {
  const { t } = useTranslation("console");
  const [address, show] = useState<string | null>(null);
  const scopes = useOwnSession()?.scopes ?? [];
  if (!scopes.includes("sell") && !scopes.includes("manage")) return null;
  return (
    <Panel
      title={t("calendars.title")}
      lead={t("calendars.lead")}
      actions={<MakeLink resource={resource} onMade={show} />}
    >
      <CalendarLinks resource={resource} />
      <SecretDialog
        title={t("calendars.made_title")}
        text={t("calendars.made_text")}
        secret={address}
        onClose={() => show(null)}
      />
    </Panel>
  );
}

type MakeProps = { resource: string; onMade: (address: string) => void };

function MakeLink({ resource, onMade }: MakeProps) {
  const { t } = useTranslation("console");
  const now = useNow(60_000);
  const [name, setName] = useState("");
  const [until, setUntil] = useState("");
  const [details, setDetails] = useState(false);
  const isOver = until !== "" && secondsUntil(until, now) < 1;
  const make = async () => {
    const path = { resource_id: resource };
    const ends = until === "" ? {} : { expires_in_seconds: secondsUntil(until, Date.now()) };
    const body = { name: name.trim(), details, ...ends };
    const made = await api.POST("/v1/resources/{resource_id}/calendar-links", { path, body });
    setName("");
    setUntil("");
    setDetails(false);
    onMade(new URL(made.path, location.origin).href);
  };
  return (
    <ActButton
      label={
        <>
          <Icon name="plus" size={18} />
          {t("calendars.make")}
        </>
      }
      title={t("calendars.make")}
      verb={t("calendars.make")}
      disabled={name.trim() === "" || isOver}
      refetches={["pages", CALENDAR_LINKS]}
      act={make}
    >
      <Field
        label={t("calendars.name")}
        hint={t("calendars.name_hint")}
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label={t("keys.expires")}
        hint={t("keys.expires_hint")}
        error={isOver ? t("calendars.past") : null}
        type="date"
        value={until}
        onChange={(event) => setUntil(event.target.value)}
      />
      <fieldset className="console-ticks">
        <legend>{t("calendars.tells")}</legend>
        <label data-chosen={details || undefined}>
          <input
            type="checkbox"
            checked={details}
            onChange={(event) => setDetails(event.target.checked)}
          />
          <span>{t("calendars.details")}</span>
        </label>
      </fieldset>
    </ActButton>
  );
}
