// The report of an import or of its dry run: counts by kind, or problems.
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Note } from "~/design/Feedback";
import { number } from "~/i18n/format";
import type { ImportReport } from "../types";
import { DataTable, type Column } from "../parts/DataTable";
import { locate } from "./jsonPosition";

type Found = ImportReport["problems"][number];

export function Report({ report, text }: { report: ImportReport; text: string }) {
  const { t } = useTranslation("console");
  const kinds = [
    ...new Set([report.created, report.updated, report.unchanged].flatMap(Object.keys)),
  ];
  const columns = useMemo<Column<Found>[]>(
    () => [
      {
        key: "where",
        title: t("import.where"),
        leads: true,
        cell: (found) => <ProblemPlace found={found} text={text} />,
      },
      {
        key: "what",
        title: t("import.what"),
        cell: (found) => found.detail || t("import.broken"),
      },
      {
        key: "code",
        title: t("import.code"),
        cell: (found) => <code dir="ltr">{found.code}</code>,
      },
    ],
    [t, text],
  );
  if (report.problems.length > 0) {
    const count = report.problems.length;
    return (
      <>
        <Note tone="bad">{t("import.problems", { count })}</Note>
        <DataTable
          label={t("import.problems", { count })}
          columns={columns}
          rows={report.problems}
          rowKey={(found) => `${found.where} ${found.code} ${found.detail}`}
          empty={{ title: "" }}
        />
      </>
    );
  }
  return (
    <div className="table-frame">
      <table className="table">
        <caption className="console-caption">
          {t(report.applied ? "import.did" : "import.would")}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t("import.kind")}</th>
            <th scope="col" data-numeric>
              {t("import.created")}
            </th>
            <th scope="col" data-numeric>
              {t("import.updated")}
            </th>
            <th scope="col" data-numeric>
              {t("import.unchanged")}
            </th>
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">{kind}</th>
              {[report.created, report.updated, report.unchanged].map((counts, at) => (
                <td key={at} data-numeric>
                  {number(counts[kind] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ProblemPlace({ found, text }: { found: Found; text: string }) {
  const { t } = useTranslation("console");
  const place = locate(text, found.where);
  return (
    <div className="console-name">
      <strong>
        {place === null
          ? found.where
          : t("import.place", { line: number(place.line), column: number(place.column) })}
      </strong>
      {place !== null && (
        <code dir="ltr" className="console-quiet">
          {found.where}
        </code>
      )}
    </div>
  );
}
