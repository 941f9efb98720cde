// Lets a waitlist take nobody more, or people again, and ends it, each after a question.
import { useTranslation } from "react-i18next";
import type { Waitlist } from "~/api/schema";
import { ActButton } from "../parts";
import { api } from "../session";

export const listKey = (id: string) => ["waitlist", id] as const;

export function ListActs({ list }: { list: Waitlist }) {
  const { t } = useTranslation("waitlists");
  const path = { waitlist_id: list.id };
  if (list.state === "ended") return null;
  const [step, state] =
    list.state === "open" ? (["close", "closed"] as const) : (["reopen", "open"] as const);
  return (
    <>
      <ActButton
        kind="quiet"
        title={t(`acts.${step}_title`)}
        verb={t(`acts.${step}`)}
        refetches={listKey(list.id)}
        act={async () => {
          await api.PATCH("/v1/waitlists/{waitlist_id}", { path, body: { state } });
          return t(`acts.${step}_done`);
        }}
      >
        <p>{t(`acts.${step}_text`)}</p>
      </ActButton>
      <ActButton
        kind="danger"
        dangerous
        title={t("acts.end_title")}
        verb={t("acts.end")}
        refetches={listKey(list.id)}
        act={async () => {
          await api.DELETE("/v1/waitlists/{waitlist_id}", { path });
          return t("acts.end_done");
        }}
      >
        <p>{t("acts.end_text", { count: list.waiting })}</p>
      </ActButton>
    </>
  );
}
