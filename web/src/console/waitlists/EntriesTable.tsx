// Who waits on a list and who is offered something, in the order of their places.
import { useTranslation } from "react-i18next";
import { useState } from "react";
import { Link } from "wouter";
import type { Waitlist, WaitlistEntry } from "~/api/schema";
import { Badge, Field, Select } from "~/design";
import { money, number } from "~/i18n/format";
import { calledBy, reachedBy } from "../contact";
import { ActButton, type Column, DataTable, usePages, When } from "../parts";
import { api } from "../session";
import { Wish } from "./Wish";

const REFRESH_MS = 4000;
const STATES = ["waiting", "offered", "accepted", "withdrawn", "over"] as const;
type State = (typeof STATES)[number];
const TONES = {
  waiting: "accent",
  offered: "warn",
  accepted: "good",
  withdrawn: "plain",
  over: "plain",
} as const;
export const NOTE_MAX = 300;

export function EntriesTable({ list }: { list: Waitlist }) {
  const { t } = useTranslation("waitlists");
  const [state, setState] = useState<State | "">("");
  const entries = usePages(
    "/v1/waitlists/{waitlist_id}/entries",
    { path: { waitlist_id: list.id }, query: { state } },
    REFRESH_MS,
  );
  return (
    <>
      <Select
        label={t("entries.state")}
        value={state}
        onChange={({ target }) => setState(STATES.find((one) => one === target.value) ?? "")}
      >
        <option value="">{t("entries.any")}</option>
        {STATES.map((one) => (
          <option key={one} value={one}>
            {t(`entry_states.${one}`)}
          </option>
        ))}
      </Select>
      <DataTable
        label={t("entries.title")}
        words="waitlists"
        columns={COLUMNS}
        {...entries}
        rowKey={({ id }) => id}
        empty={{ title: t("entries.none"), text: t("entries.none_text") }}
      />
    </>
  );
}

const COLUMNS: readonly Column<WaitlistEntry>[] = [
  {
    key: "who",
    leads: true,
    cell: ({ place, contact, owner }) => (
      <div className="console-name">
        <span>
          <span className="tabular">{number(place)}</span>
          {". "}
          <bdi>{calledBy(contact) ?? owner}</bdi>
        </span>
        <span className="console-quiet">{reachedBy(contact)}</span>
      </div>
    ),
  },
  { key: "wish", cell: (entry) => <Wanted entry={entry} /> },
  { key: "state", cell: (entry) => <EntryState of={entry} /> },
  { key: "since", cell: ({ created_at: at }) => <When at={at} /> },
  { key: "until", cell: ({ until }) => <When at={until} /> },
  { key: "acts", cell: (entry) => <Remove entry={entry} /> },
];

/** What a party would take, and what it gives back for it. */
function Wanted({ entry: { wish, instead_of_booking: booking } }: { entry: WaitlistEntry }) {
  const { t } = useTranslation("waitlists");
  return (
    <>
      <Wish of={wish} />
      {booking !== undefined && (
        <Link className="console-quiet" href={`/console/bookings/${booking}`}>
          {t("entries.gives_back")}
        </Link>
      )}
    </>
  );
}

function EntryState({ of: { state, offer, reason, note } }: { of: WaitlistEntry }) {
  const { t } = useTranslation("waitlists");
  return (
    <div className="console-name">
      <span>
        <Badge tone={TONES[state]}>{t(`entry_states.${state}`)}</Badge>
      </span>
      {state === "offered" && offer !== null && (
        <span className="console-quiet">
          {t("entries.offer_until")} <When at={offer.ends_at} exact />
          {offer.amount.amount > 0 && ` · ${money(offer.amount.amount, offer.amount.currency)}`}
        </span>
      )}
      {reason !== null && <span className="console-quiet">{t(`reasons.${reason}`)}</span>}
      {note && (
        <span className="console-quiet">
          <bdi>{note}</bdi>
        </span>
      )}
    </div>
  );
}

/** Takes a party off the list; it reads why. */
function Remove({ entry }: { entry: WaitlistEntry }) {
  const { t } = useTranslation("waitlists");
  const [note, setNote] = useState("");
  if (entry.state !== "waiting" && entry.state !== "offered") return <>–</>;
  return (
    <ActButton
      size="small"
      label={
        <>
          {t("remove.label")}
          <span className="visually-hidden"> {number(entry.place)}</span>
        </>
      }
      title={t("remove.title", { place: number(entry.place) })}
      verb={t("remove.verb")}
      dangerous
      disabled={note.trim() === ""}
      refetches={["pages"]}
      act={async () => {
        await api.POST("/v1/waitlist-entries/{entry_id}/remove", {
          path: { entry_id: entry.id },
          body: { note: note.trim() },
        });
        return t("remove.done");
      }}
    >
      <p>{t(entry.state === "offered" ? "remove.text_offered" : "remove.text")}</p>
      <Field
        label={t("remove.note")}
        hint={t("remove.note_hint")}
        value={note}
        maxLength={NOTE_MAX}
        onChange={(event) => setNote(event.target.value)}
      />
    </ActButton>
  );
}
