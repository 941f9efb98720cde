// What the budgets of guests do: who is at a step now, and how often guests met which.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Badge } from "~/design";
import { number } from "~/i18n/format";
import type { AddressAtStep, BudgetSteps } from "../types";
import { DataTable, Panel, type Column } from "../parts";
import { api } from "../session";

const REFRESH_MS = 10_000;
const TONES: Record<string, "plain" | "warn" | "bad" | "good"> = {
  shorter: "plain",
  noted: "plain",
  challenge: "warn",
  solved: "good",
  refused: "bad",
};

export function Budgets() {
  const { t } = useTranslation("console");
  const report = useQuery({
    queryKey: ["budgets"],
    queryFn: () => api.GET("/v1/budgets"),
    refetchInterval: REFRESH_MS,
  });
  const steps: Column<BudgetSteps>[] = [
    { key: "budget", cell: (row) => t(`budgets.names.${row.budget}`, row.budget), leads: true },
    { key: "step", cell: (row) => <Step name={row.step} /> },
    { key: "this_hour", cell: (row) => number(row.this_hour), numeric: true },
    { key: "last_hour", cell: (row) => number(row.last_hour), numeric: true },
  ];
  const addresses: Column<AddressAtStep>[] = [
    { key: "address", cell: (row) => <code dir="ltr">{row.address}</code>, leads: true },
    { key: "budget", cell: (row) => t(`budgets.names.${row.budget}`, row.budget) },
    { key: "step", cell: (row) => <Step name={row.step} /> },
    { key: "held", cell: (row) => number(row.held), numeric: true },
    { key: "booked", cell: (row) => number(row.booked), numeric: true },
    { key: "wasted", cell: (row) => number(row.wasted), numeric: true },
  ];
  const shared = {
    words: "budgets.columns",
    error: report.error,
    onRetry: () => void report.refetch(),
    skeletonRows: 3,
  };
  return (
    <Panel title={t("budgets.title")} lead={t(`budgets.mode.${report.data?.mode ?? "on"}`)}>
      <DataTable
        {...shared}
        label={t("budgets.steps")}
        columns={steps}
        rows={report.data?.steps}
        rowKey={(row) => `${row.budget} ${row.step}`}
        empty={{ title: t("budgets.no_steps") }}
      />
      {report.data && report.data.addresses.length > 0 && (
        <>
          <DataTable
            {...shared}
            label={t("budgets.addresses")}
            columns={addresses}
            rows={report.data.addresses}
            rowKey={(row) => row.address}
            empty={{ title: "" }}
          />
          <p className="console-quiet">
            {t("budgets.exempt")}{" "}
            <code dir="ltr">
              BESPEAK_BUDGETS_EXEMPT=
              {[...report.data.exempt, report.data.addresses[0]?.address].join(",")}
            </code>
          </p>
        </>
      )}
      {report.data && report.data.guests.length > 0 && (
        <p className="console-quiet">{t("budgets.guests", { count: report.data.guests.length })}</p>
      )}
    </Panel>
  );
}

function Step({ name }: { name: string }) {
  const { t } = useTranslation("console");
  return <Badge tone={TONES[name] ?? "plain"}>{t(`budgets.step.${name}`, name)}</Badge>;
}
