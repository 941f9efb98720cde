// The dates of an event: when, where, how much is sold, and what can be done with each.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Performance, Production } from "~/api/schema";
import { Button, ButtonLink, Dialog } from "~/design";
import { type Column, DataTable, Panel, usePages, When } from "../parts";
import { PROGRAMME } from "./calls";
import { CopyForm } from "./CopyForm";
import { RepeatForm } from "./RepeatForm";
import { Sold } from "./Sold";
import { Published, State } from "./State";

const PATH = "/v1/programme/performances";
const REFRESH_MS = 6000;
const SINCE_EVER = "2000-01-01";

const FACTS: readonly Column<Performance>[] = [
  {
    key: "date",
    leads: true,
    cell: (date) => (
      <div className="console-name">
        <Link href={`/console/programme/dates/${date.id}`} className="console-row-link">
          <When at={date.starts_at} zone={date.time_zone} />
        </Link>
        <span className="console-quiet">
          {date.venue.name}, {date.hall.name}
        </span>
      </div>
    ),
  },
  { key: "sold", cell: (date) => <Sold of={date} /> },
  { key: "state", cell: ({ state }) => <State of={state} /> },
  { key: "published", cell: (date) => <Published of={date} /> },
];

export function DatesPanel({ event }: { event: Production }) {
  const { t } = useTranslation("programme");
  const queries = useQueryClient();
  const [again, setAgain] = useState<{ how: "copy" | "repeat"; date: Performance } | null>(null);
  const query = { production: event.id, from: SINCE_EVER, limit: 100 };
  const dates = usePages(PATH, { query }, REFRESH_MS);
  const close = () => {
    setAgain(null);
    void queries.invalidateQueries({ queryKey: PROGRAMME });
    void queries.invalidateQueries({ queryKey: ["pages", PATH] });
  };
  const acts: Column<Performance> = {
    key: "acts",
    cell: (date) => (
      <div className="programme-acts">
        <Button kind="quiet" size="small" onClick={() => setAgain({ how: "copy", date })}>
          {t("dates.copy")}
        </Button>
        <Button kind="quiet" size="small" onClick={() => setAgain({ how: "repeat", date })}>
          {t("dates.repeat")}
        </Button>
        <Link className="programme-link" href={`/console/shows/${date.id}`}>
          {t("dates.show")}
        </Link>
      </div>
    ),
  };
  return (
    <Panel title={t("dates.title")} lead={t("dates.lead")}>
      <DataTable
        label={t("dates.title")}
        words="dates_of_event"
        columns={event.archived ? FACTS : [...FACTS, acts]}
        {...dates}
        rowKey={({ id }) => id}
        skeletonRows={2}
        empty={{
          title: t("dates.none"),
          text: t("dates.none_text"),
          actions: (
            <ButtonLink href={`/console/programme/events/${event.id}/new-date`}>
              {t("dates.add_first")}
            </ButtonLink>
          ),
        }}
      />
      <Dialog
        open={again !== null}
        title={t(again?.how === "repeat" ? "repeat.title" : "copy.title")}
        onClose={close}
      >
        {again?.how === "copy" && <CopyForm of={again.date} onDone={close} />}
        {again?.how === "repeat" && <RepeatForm of={again.date} onDone={close} />}
      </Dialog>
    </Panel>
  );
}
