// Publishes all drafts among the shows of a list. The first that is refused says why, and those before it
// are published.
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Show } from "~/api/schema";
import { Button, useToast } from "~/design";
import { Refused } from "../programme/Refused";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { CINEMA } from "./calls";

export function PublishShows({ shows }: { shows: readonly Show[] }) {
  const { t } = useTranslation("films");
  const tell = useToast();
  const queries = useQueryClient();
  const { busy, error, save } = useSave(CINEMA);
  const drafts = shows.filter(({ published, state }) => !published && state !== "called_off");
  const publish = async () => {
    try {
      for (const { id } of drafts) {
        // One after the other: each is judged, and most lack the same.
        // eslint-disable-next-line no-await-in-loop
        await api.PATCH("/v1/cinema/shows/{show_id}", {
          path: { show_id: id },
          body: { published: true },
        });
      }
    } finally {
      void queries.invalidateQueries({ queryKey: ["pages"] });
    }
    return drafts.length;
  };
  if (drafts.length === 0 && error === null) return null;
  return (
    <>
      <Refused error={error} />
      {drafts.length > 0 && (
        <div className="console-actions">
          <Button
            busy={busy}
            onClick={() => void save(publish, (count) => tell(t("shows.published", { count })))}
          >
            {t("shows.publish", { count: drafts.length })}
          </Button>
        </div>
      )}
    </>
  );
}
