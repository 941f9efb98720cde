// The tables of a report.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { DayReport, PeriodReport } from "~/api/schema";
import { dateTime, money, number } from "~/i18n/format";
import { takingsColumns } from "../desk/takingsColumns";
import { type Column, DataTable } from "../parts";

type Props = { report: DayReport | PeriodReport };
type Row<Name extends "sales" | "money" | "fees" | "taxes" | "refunds" | "desk" | "free"> =
  DayReport[Name][number];

const BASIS = 10_000;

type Balance = Pick<Row<"money">, "returned" | "balance" | "currency">;
const BALANCE: readonly Column<Balance>[] = [
  { key: "returned", numeric: true, cell: (row) => money(row.returned, row.currency) },
  {
    key: "balance",
    numeric: true,
    cell: (row) => <strong>{money(row.balance, row.currency)}</strong>,
  },
];

export function SalesTable({ report }: Props) {
  const { t } = useTranslation("console");
  const columns: readonly Column<Row<"sales">>[] = [
    {
      key: "what",
      leads: true,
      cell: ({ resource_id: id, name, category }) =>
        id === null ? (
          t("reports.order_fees")
        ) : (
          <>
            <Link href={`/console/shows/${id}`}>
              <bdi>{name}</bdi>
            </Link>
            {category !== null && (
              <span className="console-quiet">
                {" "}
                · <bdi>{category === "standard" ? t("reports.standard") : category}</bdi>
              </span>
            )}
          </>
        ),
    },
    { key: "provider", cell: (row) => providerName(t, row.provider) },
    { key: "units", numeric: true, cell: (row) => (row.units > 0 ? number(row.units) : "–") },
    { key: "amount", numeric: true, cell: (row) => money(row.amount, row.currency) },
  ];
  return (
    <DataTable
      label={t("reports.sales")}
      words="reports"
      columns={columns}
      rows={report.sales}
      rowKey={(row) => `${row.resource_id} ${row.category} ${row.provider} ${row.currency}`}
      empty={{ title: t("reports.none") }}
    />
  );
}

export function MoneyTable({ report }: Props) {
  const { t } = useTranslation("console");
  const columns: readonly Column<Row<"money">>[] = [
    { key: "provider", leads: true, cell: (row) => providerName(t, row.provider) },
    { key: "payments", numeric: true, cell: (row) => number(row.payments) },
    { key: "taken", numeric: true, cell: (row) => money(row.taken, row.currency) },
    { key: "refund_count", numeric: true, cell: (row) => number(row.refunds) },
    ...BALANCE,
  ];
  return (
    <DataTable
      label={t("reports.money")}
      words="reports"
      columns={columns}
      rows={report.money}
      rowKey={(row) => `${row.provider} ${row.currency}`}
      empty={{ title: t("reports.none") }}
    />
  );
}

export function DaysTable({ days }: { days: PeriodReport["days"] }) {
  const { t } = useTranslation("console");
  const columns: readonly Column<PeriodReport["days"][number]>[] = [
    {
      key: "day",
      leads: true,
      cell: (row) => (
        <Link href={`/console/reports?day=${row.date}`}>
          {dateTime(`${row.date}T00:00:00Z`, { dateStyle: "medium" }, "UTC")}
        </Link>
      ),
    },
    { key: "provider", cell: (row) => providerName(t, row.provider) },
    { key: "payments", numeric: true, cell: (row) => number(row.payments) },
    { key: "taken", numeric: true, cell: (row) => money(row.taken, row.currency) },
    ...BALANCE,
  ];
  return (
    <DataTable
      label={t("reports.by_day")}
      words="reports"
      columns={columns}
      rows={days}
      rowKey={(row) => `${row.date} ${row.provider} ${row.currency}`}
      empty={{ title: t("reports.none") }}
    />
  );
}

export function TaxTable({ label, taxes }: { label: string; taxes: DayReport["taxes"] }) {
  const { t, i18n } = useTranslation("console");
  const rate = new Intl.NumberFormat(i18n.language, { style: "percent", maximumFractionDigits: 2 });
  const columns: readonly Column<Row<"taxes">>[] = [
    {
      key: "tax_name",
      leads: true,
      cell: ({ name, basis_points: points }) =>
        name === "" ? (
          t("reports.no_tax")
        ) : (
          <>
            <bdi>{name}</bdi> {points !== null && rate.format(points / BASIS)}
          </>
        ),
    },
    { key: "net", numeric: true, cell: (row) => money(row.net, row.currency) },
    { key: "tax", numeric: true, cell: (row) => money(row.tax, row.currency) },
    { key: "gross", numeric: true, cell: (row) => money(row.gross, row.currency) },
  ];
  return (
    <DataTable
      label={label}
      words="reports"
      columns={columns}
      rows={taxes}
      rowKey={(row) => `${row.name} ${row.basis_points} ${row.currency}`}
      empty={{ title: t("reports.none") }}
    />
  );
}

export function FeeTable({ report }: Props) {
  const { t } = useTranslation("console");
  const columns: readonly Column<Row<"fees">>[] = [
    { key: "fee", leads: true, cell: (row) => <bdi>{row.name}</bdi> },
    { key: "quantity", numeric: true, cell: (row) => number(row.quantity) },
    { key: "amount", numeric: true, cell: (row) => money(row.amount, row.currency) },
  ];
  return (
    <DataTable
      label={t("reports.fees")}
      words="reports"
      columns={columns}
      rows={report.fees}
      rowKey={(row) => `${row.name} ${row.currency}`}
      empty={{ title: t("reports.none") }}
    />
  );
}

export function RefundTable({ report }: Props) {
  const { t } = useTranslation("console");
  const columns: readonly Column<Row<"refunds">>[] = [
    { key: "cause", leads: true, cell: (row) => t(`reports.causes.${row.cause}`, row.cause) },
    { key: "quantity", numeric: true, cell: (row) => number(row.count) },
    { key: "amount", numeric: true, cell: (row) => money(row.amount, row.currency) },
  ];
  return (
    <DataTable
      label={t("reports.refunds")}
      words="reports"
      columns={columns}
      rows={report.refunds}
      rowKey={(row) => `${row.cause} ${row.currency}`}
      empty={{ title: t("reports.none") }}
    />
  );
}

export function DeskTable({ report }: Props) {
  const { t } = useTranslation("console");
  return (
    <DataTable
      label={t("reports.desk")}
      words="desk"
      columns={takingsColumns(t)}
      rows={report.desk}
      rowKey={(row) => `${row.method} ${row.actor} ${row.currency}`}
      empty={{ title: t("reports.none") }}
    />
  );
}

export function FreeTable({ report }: Props) {
  const { t } = useTranslation("console");
  const columns: readonly Column<Row<"free">>[] = [
    {
      key: "what",
      leads: true,
      cell: (row) => <Link href={`/console/shows/${row.resource_id}`}>{row.name}</Link>,
    },
    { key: "reason", cell: (row) => t(`desk.reasons.${row.reason}`) },
    { key: "units", numeric: true, cell: (row) => number(row.units) },
    { key: "worth", numeric: true, cell: (row) => money(row.worth, row.currency) },
  ];
  return (
    <DataTable
      label={t("reports.free")}
      words="reports"
      columns={columns}
      rows={report.free}
      rowKey={(row) => `${row.resource_id} ${row.reason} ${row.currency}`}
      empty={{ title: t("reports.none") }}
    />
  );
}

function providerName(t: (key: string, otherwise: string) => string, provider: string): string {
  return t(`reports.providers.${provider}`, provider);
}
