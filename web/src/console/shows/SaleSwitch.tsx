// Closes and opens the sale of a show.
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Resource } from "~/api/schema";
import { showChanged } from "~/api/showChanged";
import { ActButton } from "../parts";
import { api } from "../session";

export function SaleSwitch({ show }: { show: Resource }) {
  const { t } = useTranslation("console");
  const queries = useQueryClient();
  if (show.state !== "open" && show.state !== "closed") return null;
  const next = show.state === "open" ? "closed" : "open";
  const change = async () => {
    const changed = await api.PATCH("/v1/resources/{resource_id}", {
      path: { resource_id: show.id },
      body: { state: next, version: show.version },
    });
    await showChanged(queries, ["resource", show.id], changed);
    return t(`sale.done_${next}`);
  };
  return (
    <ActButton title={t(`sale.title_${next}`)} verb={t(`sale.verb_${next}`)} act={change}>
      <p>{t(`sale.text_${next}`)}</p>
    </ActButton>
  );
}
