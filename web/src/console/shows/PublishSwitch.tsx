// Shows a show to guests, or hides it from them.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Resource } from "~/api/schema";
import { showChanged } from "~/api/showChanged";
import { Act, ActButton } from "../parts";
import { Button } from "~/design";
import { api } from "../session";

export function HideButton({ show }: { show: Resource }) {
  const { t } = useTranslation("console");
  const change = useChange(show);
  return (
    <ActButton
      title={t("publish.title_hidden")}
      verb={t("publish.verb_hidden")}
      act={async () => {
        await change({ published: false });
        return t("publish.done_hidden");
      }}
    >
      <p>{t("publish.text_hidden")}</p>
    </ActButton>
  );
}

/** Publishes a draft, and puts it on sale with that unless somebody wants to wait. */
export function PublishButton({ show, isReady }: { show: Resource; isReady: boolean }) {
  const { t } = useTranslation("console");
  const change = useChange(show);
  const [isOpen, setOpen] = useState(false);
  const [opensSale, setOpensSale] = useState(true);
  const isClosed = show.state === "closed";
  return (
    <>
      <Button disabled={!isReady} onClick={() => setOpen(true)}>
        {t("publish.verb_shown")}
      </Button>
      <Act
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t("publish.title_shown")}
        verb={t("publish.verb_shown")}
        act={async () => {
          await change({ published: true, ...(isClosed && opensSale && { state: "open" }) });
          return t("publish.done_shown");
        }}
      >
        <p>{t("publish.text_shown")}</p>
        {isClosed && (
          <label className="console-tick">
            <input
              type="checkbox"
              checked={opensSale}
              onChange={(event) => setOpensSale(event.target.checked)}
            />
            {t("publish.opens_sale")}
          </label>
        )}
      </Act>
    </>
  );
}

type Change = { published: boolean; state?: "open" };

function useChange(show: Resource) {
  const queries = useQueryClient();
  return async (change: Change) => {
    const changed = await api.PATCH("/v1/resources/{resource_id}", {
      path: { resource_id: show.id },
      body: { ...change, version: show.version },
    });
    await showChanged(queries, ["resource", show.id], changed);
  };
}
