// All waitlists, the newest first.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Waitlist } from "~/api/schema";
import { ButtonLink } from "~/design";
import { number } from "~/i18n/format";
import { type Column, DataTable, PageHead, usePages, When } from "../parts";
import { useMay } from "../session";
import { ListName, ListState, Policy } from "./ListWords";

const REFRESH_MS = 5000;
const NONE = {};

const COLUMNS: readonly Column<Waitlist>[] = [
  {
    key: "list",
    leads: true,
    cell: (list) => (
      <Link href={`/console/waitlists/${list.id}`} className="console-row-link">
        <ListName of={list} />
      </Link>
    ),
  },
  { key: "state", cell: (list) => <ListState of={list} /> },
  { key: "policy", cell: (list) => <Policy of={list} /> },
  { key: "waiting", numeric: true, cell: ({ waiting }) => number(waiting) },
  { key: "offered", numeric: true, cell: ({ offered }) => number(offered) },
  { key: "made", cell: ({ created_at: at }) => <When at={at} /> },
];

export function ListsPage() {
  const { t } = useTranslation("waitlists");
  const lists = usePages("/v1/waitlists", { query: NONE }, REFRESH_MS);
  const mayManage = useMay("manage");
  const make = mayManage && <ButtonLink href="/console/waitlists/new">{t("new")}</ButtonLink>;
  return (
    <>
      <PageHead title={t("title")} lead={t("lead")} actions={make} />
      <DataTable
        label={t("title")}
        words="waitlists"
        columns={COLUMNS}
        {...lists}
        rowKey={({ id }) => id}
        empty={{ title: t("none"), text: t("none_text") }}
      />
    </>
  );
}
