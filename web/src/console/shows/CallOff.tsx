// Calls a show off: its effect in numbers first, then its progress.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import type { CalledOff, Resource } from "~/api/schema";
import { showChanged } from "~/api/showChanged";
import { Button, Dialog, Field, Note, Skeleton } from "~/design";
import { money, number } from "~/i18n/format";
import { ActButton, RadioGroup } from "../parts";
import { api } from "../session";
import { useTyped } from "../useTyped";

const PROGRESS_MS = 700;

/** The progress of calling off; no data if the show was not called off. */
export function useCancellation(show: Resource) {
  return useQuery({
    queryKey: ["cancellation", show.id],
    queryFn: () =>
      api.GET("/v1/resources/{resource_id}/cancellation", {
        path: { resource_id: show.id },
      }),
    // A show that is called off is closed, so open shows are not asked.
    enabled: show.state === "closed",
    retry: (count, error) => !(error instanceof Problem && error.status === 404) && count < 3,
    refetchInterval: (query) =>
      query.state.data === undefined || isSettled(query.state.data) ? false : PROGRESS_MS,
  });
}

export function CallOff({ show, told }: { show: Resource; told: CalledOff | undefined }) {
  const { t } = useTranslation("console");
  const [open, setOpen] = useState(false);
  if (told === undefined) return <Ask show={show} />;
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {t("call_off.progress")}
      </Button>
      <Dialog open={open} title={t("call_off.progress")} onClose={() => setOpen(false)}>
        <Progress told={told} />
      </Dialog>
    </>
  );
}

function Ask({ show }: { show: Resource }) {
  const { t } = useTranslation("console");
  const queries = useQueryClient();
  const { typed, type, run } = useTyped(`call-off ${show.id}`, { reason: "", refund: "full" });
  const { reason } = typed;
  const refund = typed.refund === "policy" ? "policy" : "full";
  const callOff = async (key: string) => {
    const begun = await run(() =>
      api.POST("/v1/resources/{resource_id}/cancellation", {
        path: { resource_id: show.id },
        key,
        body: { reason: reason.trim(), refund },
      }),
    );
    await showChanged(queries, ["cancellation", show.id], begun);
  };
  return (
    <ActButton
      kind="danger"
      title={t("call_off.title", { name: show.name })}
      verb={t("call_off.verb")}
      dangerous
      disabled={reason.trim() === ""}
      refetches={["resource", show.id]}
      act={callOff}
    >
      <Consequence show={show} />
      <RadioGroup
        label={t("call_off.refund")}
        value={refund}
        onChange={(chosen) => type({ refund: chosen })}
        choices={(["full", "policy"] as const).map((value) => ({
          value,
          title: t(`call_off.${value}`),
          text: t(`call_off.${value}_text`),
        }))}
      />
      <Field
        label={t("call_off.reason")}
        hint={t("call_off.reason_hint")}
        value={reason}
        maxLength={500}
        required
        onChange={(event) => type({ reason: event.target.value })}
      />
    </ActButton>
  );
}

function Consequence({ show }: { show: Resource }) {
  const { t } = useTranslation("console");
  const { data: row, error } = useQuery({
    queryKey: ["show", show.id, "figures"],
    queryFn: () => api.GET("/v1/overview/resources", { query: { q: show.id, limit: 10 } }),
    select: ({ items }) => items.find(({ id }) => id === show.id),
  });
  if (row === undefined && !error) return <Skeleton height="4rem" />;
  const amount = row?.revenue ? money(row.revenue.amount, row.revenue.currency) : number(0);
  return (
    <Note tone="warn">
      {row
        ? t("call_off.consequence", { sold: row.sold, held: row.held, amount })
        : t("call_off.consequence_unknown")}
    </Note>
  );
}

function Progress({ told }: { told: CalledOff }) {
  const { t } = useTranslation("console");
  const share = told.bookings_total === 0 ? 1 : told.bookings_done / told.bookings_total;
  const amount = (minor: number) => money(minor, told.currency);
  return (
    <div className="console-stack">
      <p>
        <strong>{t(`call_off.state_${told.state}`)}</strong> {told.reason}
      </p>
      <progress className="console-progress" value={share} aria-label={t("call_off.bookings")} />
      <dl className="console-pairs">
        <div>
          <dt>{t("call_off.bookings")}</dt>
          <dd className="tabular">
            {number(told.bookings_done)} / {number(told.bookings_total)}
          </dd>
        </div>
        <div>
          <dt>{t("call_off.holds")}</dt>
          <dd className="tabular">{number(told.holds_released)}</dd>
        </div>
        {(["refunded", "pending", "failed"] as const).map((name) => (
          <div key={name}>
            <dt>{t(`call_off.${name}`)}</dt>
            <dd className="tabular">
              {number(told.refunds[name])} · {amount(told.amounts[name])}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function isSettled(told: CalledOff): boolean {
  return told.state === "done" && told.refunds.pending === 0;
}
