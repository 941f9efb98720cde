// Keeping a room as a hall, which many dates are sold in: a new one of a venue, or in place of the room
// of the hall that it came from.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearch } from "wouter";
import { idempotencyKey, Problem } from "~/api/client";
import type { Hall, Venue } from "~/api/schema";
import { Button, ButtonLink, ErrorNote, Field, Note, Select, Skeleton } from "~/design";
import { useEditor } from "../context";
import { changeHall, keepHall, listVenues } from "../engine";

type Wanted = { hall: string | null; venue: string | null };
type Props = Wanted & { isDisabled: boolean; onOther: () => void; onClose: () => void };

/** Which hall or venue the editor was opened for. */
export function useWantedHall(): Wanted {
  const query = new URLSearchParams(useSearch());
  return { hall: query.get("hall"), venue: query.get("venue") };
}

export function KeepHallForm({ hall, venue: wanted, isDisabled, onOther, onClose }: Props) {
  const { t } = useTranslation("editor");
  const { plan, state } = useEditor();
  const venues = useQuery({ queryKey: ["programme", "venues"], queryFn: listVenues });
  const [chosen, setChosen] = useState<string | null>(wanted);
  const [name, setName] = useState(state.title);
  const keeping = useKeeping();
  const all = venues.data ?? [];
  const venue = chosen ?? all[0]?.id ?? "";
  const isFit = name.trim() !== "" && venue !== "" && !isDisabled;
  if (keeping.kept !== null) return <Kept hall={keeping.kept} onClose={onClose} />;
  if (venues.error) return <ErrorNote error={venues.error} />;
  if (venues.data === undefined) return <Skeleton height="8rem" />;
  return (
    <form
      className="editor-save"
      onSubmit={(event) => {
        event.preventDefault();
        if (isFit) keeping.run((key) => keepHall(plan, { venue, name: name.trim() }, key));
      }}
    >
      {keeping.error !== null && <Refused error={keeping.error} />}
      {hall !== null && (
        <>
          <p>{t("hall.change_text")}</p>
          <div>
            <Button
              disabled={isDisabled}
              busy={keeping.busy}
              onClick={() => keeping.run(() => changeHall(plan, hall))}
            >
              {t("hall.change")}
            </Button>
          </div>
        </>
      )}
      <p>{t("hall.text")}</p>
      <VenueChoice venues={all} chosen={venue} onChoose={setChosen} />
      <Field
        label={t("hall.name")}
        value={name}
        maxLength={200}
        onChange={({ target }) => setName(target.value)}
      />
      <div className="dialog-actions">
        <Button kind="quiet" onClick={onOther}>
          {t("hall.other")}
        </Button>
        <Button
          type="submit"
          kind={hall === null ? "primary" : "quiet"}
          busy={keeping.busy}
          disabled={!isFit}
        >
          {t("hall.keep")}
        </Button>
      </div>
    </form>
  );
}

type ChoiceProps = {
  venues: readonly Venue[];
  chosen: string;
  onChoose: (venue: string) => void;
};

function VenueChoice({ venues, chosen, onChoose }: ChoiceProps) {
  const { t } = useTranslation("editor");
  if (venues.length === 0)
    return (
      <Note tone="warn">
        <p>{t("hall.no_venue")}</p>
        <a href="/console/programme/venues/new" target="_blank" rel="noreferrer">
          {t("hall.to_venue")}
        </a>
      </Note>
    );
  return (
    <Select
      label={t("hall.venue")}
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
    >
      {venues.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** Runs the call, and tells the editor that its document is kept. */
function useKeeping() {
  const { plan, dispatch } = useEditor();
  const queries = useQueryClient();
  const [key] = useState(idempotencyKey);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [kept, setKept] = useState<Hall | null>(null);
  const run = (call: (key: string) => Promise<Hall>) => {
    setBusy(true);
    setError(null);
    call(key)
      .then((hall) => {
        dispatch({ is: "kept", plan, title: hall.name });
        void queries.invalidateQueries({ queryKey: ["programme"] });
        return setKept(hall);
      })
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return { busy, error, kept, run };
}

function Refused({ error }: { error: unknown }) {
  const isPlan = error instanceof Problem && error.code === "invalid_request";
  return isPlan ? (
    <div role="alert">
      <Note tone="bad">{error.message}</Note>
    </div>
  ) : (
    <ErrorNote error={error} />
  );
}

function Kept({ hall, onClose }: { hall: Hall; onClose: () => void }) {
  const { t } = useTranslation("editor");
  return (
    <>
      <p>{t("hall.kept", { name: hall.name, venue: hall.venue.name })}</p>
      <div className="dialog-actions">
        <Button kind="quiet" onClick={onClose}>
          {t("save.draw_on")}
        </Button>
        <ButtonLink href={`/console/programme/venues/${hall.venue.id}`}>
          {t("hall.open")}
        </ButtonLink>
      </div>
    </>
  );
}
