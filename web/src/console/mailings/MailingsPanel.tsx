// What was written to all who booked, how far each is, and the form for another. After a date was moved
// it is open already, with a text proposed.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Mailing } from "~/api/schema";
import { Button, Loaded } from "~/design";
import { number } from "~/i18n/format";
import { Actor, ActButton, Panel, When } from "../parts";
import { api, useMay } from "../session";
import type { Words } from "./draft";
import { MailingForm } from "./MailingForm";

const CALM_MS = 2000;

type MailingsPanelProps = { resource: string; proposed?: Words | null };

/** Nothing for who may not write to buyers. */
export function MailingsPanel({ resource, proposed = null }: MailingsPanelProps) {
  const { t } = useTranslation("console");
  const mayWrite = useMay("manage");
  const [isOpen, setOpen] = useState(proposed !== null);
  const key = ["mailings", resource];
  const found = useQuery({
    queryKey: key,
    queryFn: () =>
      api.GET("/v1/resources/{resource_id}/mailings", { path: { resource_id: resource } }),
    enabled: mayWrite,
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? CALM_MS : false),
  });
  if (!mayWrite) return null;
  return (
    <Panel
      title={t("mailings.title")}
      lead={t("mailings.lead")}
      actions={
        !isOpen && (
          <Button kind="quiet" size="small" onClick={() => setOpen(true)}>
            {t("mailings.write")}
          </Button>
        )
      }
    >
      {isOpen && (
        <MailingForm
          resource={resource}
          proposed={proposed}
          refetches={key}
          onSent={() => setOpen(false)}
        />
      )}
      <Loaded of={found} height="3rem">
        {({ items }) =>
          items.length === 0 ? (
            <p className="console-quiet">{t("mailings.none")}</p>
          ) : (
            <ul role="list" className="console-moves">
              {items.map((one) => (
                <MailingRow key={one.id} mailing={one} refetches={key} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function isUnderWay({ state, waiting }: Mailing): boolean {
  return state === "writing" || waiting > 0;
}

function MailingRow({ mailing, refetches }: { mailing: Mailing; refetches: readonly string[] }) {
  const { t } = useTranslation("console");
  const { sent, failed, waiting, state } = mailing;
  return (
    <li>
      <span>
        <strong>
          <bdi>{mailing.texts[0]?.subject}</bdi>
        </strong>
        <span className="console-quiet">
          <When at={mailing.created_at} />
          {mailing.actor !== null && (
            <>
              {" · "}
              <Actor actor={mailing.actor} />
            </>
          )}
          {" · "}
          {t(`mailings.${state}`)}
          {" · "}
          {t("mailings.sent", { count: sent })}
          {waiting > 0 && ` · ${t("mailings.waiting", { waiting: number(waiting) })}`}
          {failed > 0 && ` · ${t("mailings.failed", { failed: number(failed) })}`}
        </span>
      </span>
      {isUnderWay(mailing) && state !== "stopped" && (
        <ActButton
          size="small"
          title={t("mailings.stop_ask")}
          verb={t("mailings.stop")}
          dangerous
          refetches={refetches}
          act={async () => {
            const path = { resource_id: mailing.resource_id, mailing_id: mailing.id };
            await api.DELETE("/v1/resources/{resource_id}/mailings/{mailing_id}", { path });
            return t("mailings.stopped_now");
          }}
        >
          <p>{t("mailings.stop_text")}</p>
        </ActButton>
      )}
    </li>
  );
}
