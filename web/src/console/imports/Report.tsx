// The report of an import or of its dry run: counts by kind, or problems.
import { useTranslation } from "react-i18next";
import { Note } from "~/design";
import { number } from "~/i18n/format";
import type { ImportReport } from "../types";
import { type Column, DataTable } from "../parts";
import { locate } from "./jsonPosition";

type Found = ImportReport["problems"][number];

const COUNTS = ["created", "updated", "unchanged"] as const;

export function Report({ report, text }: { report: ImportReport; text: string }) {
  const { t } = useTranslation("console");
  const kinds = [...new Set(COUNTS.flatMap((name) => Object.keys(report[name])))];
  const columns: readonly Column<Found>[] = [
    { key: "where", leads: true, cell: (found) => <ProblemPlace found={found} text={text} /> },
    { key: "what", cell: ({ detail }) => detail || t("import.broken") },
    { key: "code", cell: ({ code }) => <code dir="ltr">{code}</code> },
  ];
  if (report.problems.length > 0) {
    const count = report.problems.length;
    return (
      <>
        <Note tone="bad">{t("import.problems", { count })}</Note>
        <DataTable
          label={t("import.problems", { count })}
          words="import"
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
            {COUNTS.map((name) => (
              <th key={name} scope="col" data-numeric>
                {t(`import.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">{kind}</th>
              {COUNTS.map((name) => (
                <td key={name} data-numeric>
                  {number(report[name][kind] ?? 0)}
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
