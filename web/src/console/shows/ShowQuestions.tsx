// The questions of a show. Those of an event's date are changed with the date, which has the words for
// them; its page is one click away.
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Resource } from "~/api/schema";
import { showChanged } from "~/api/showChanged";
import { QuestionsPanel } from "../questions/QuestionsPanel";
import { api } from "../session";

const DATE = "performance";

export function ShowQuestions({ show }: { show: Resource }) {
  const { t } = useTranslation("console");
  const queries = useQueryClient();
  const asked = { questions: show.questions ?? [], translations: show.translations ?? [] };
  if (show.kind === DATE)
    return (
      <QuestionsPanel resource={show.id} asked={asked}>
        <Link className="console-link" href={`/console/programme/dates/${show.id}`}>
          {t("questions.at_date")}
        </Link>
      </QuestionsPanel>
    );
  return (
    <QuestionsPanel
      resource={show.id}
      asked={asked}
      save={async (changed) => {
        const saved = await api.PATCH("/v1/resources/{resource_id}", {
          path: { resource_id: show.id },
          body: { ...changed, version: show.version },
        });
        await showChanged(queries, ["resource", show.id], saved);
      }}
    />
  );
}
