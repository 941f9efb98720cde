// Imports a catalogue from a file: first a dry run with its problems, then all or nothing.
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import { Button, EmptyState, ErrorNote, Icon, Note, Select, Skeleton } from "~/design";
import { useBoxOffice } from "../boxOffice";
import type { ImportReport } from "../types";
import { PageHead, Panel } from "../parts";
import { Report } from "./Report";
import { runImport } from "./runImport";

type Picked = { readonly name: string; readonly text: string };
const BYTES_MAX = 8_000_000;

export default function ImportPage() {
  const { t } = useTranslation("console");
  const office = useBoxOffice();
  const verticals = office.data?.imports ?? [];
  return (
    <>
      <PageHead title={t("import.title")} lead={t("import.lead")} />
      {office.isPending ? (
        <Skeleton height="12rem" />
      ) : verticals.length === 0 ? (
        <EmptyState title={t("import.nothing")}>
          <p>{t("import.nothing_text")}</p>
        </EmptyState>
      ) : (
        <Importer verticals={verticals} />
      )}
    </>
  );
}

function Importer({ verticals }: { verticals: readonly string[] }) {
  const { t } = useTranslation("console");
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [vertical, choose] = useState(verticals[0] ?? "");
  const [file, setFile] = useState<Picked | null>(null);
  const [report, setReport] = useState<ImportReport | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const run = (text: Picked, check: boolean) => {
    setBusy(true);
    setError(null);
    runImport(vertical, text.text, check)
      .then(setReport, setError)
      .then(() => (check ? undefined : queries.invalidateQueries()))
      .finally(() => setBusy(false));
  };
  const take = (picked: File | undefined) => {
    if (picked === undefined) return;
    setReport(null);
    setError(null);
    if (picked.size > BYTES_MAX) {
      setFile(null);
      setError(new Problem(0, { code: "body_too_large", detail: t("import.too_large") }));
      return;
    }
    void open(picked);
  };
  const open = async (picked: File) => {
    const read = { name: picked.name, text: await picked.text() };
    setFile(read);
    run(read, true);
  };
  const again = () => {
    setFile(null);
    setReport(null);
    setError(null);
    if (input.current) input.current.value = "";
  };
  return (
    <Panel title={file?.name ?? t("import.choose_title")} className="console-import">
      {verticals.length > 1 && (
        <Select
          label={t("import.vertical")}
          value={vertical}
          onChange={(event) => choose(event.target.value)}
        >
          {verticals.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      )}
      {file === null && (
        // Files are dropped on the label; the keyboard uses its input.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <label
          className="console-drop"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            take(event.dataTransfer.files[0]);
          }}
        >
          <Icon name="import" size={32} />
          <strong>{t("import.choose")}</strong>
          <span className="console-quiet">{t("import.choose_text")}</span>
          <input
            ref={input}
            type="file"
            accept=".json,application/json"
            className="visually-hidden"
            onChange={(event) => take(event.target.files?.[0])}
          />
        </label>
      )}
      {busy && report === null && <Skeleton height="8rem" />}
      {error !== null && <ErrorNote error={error} />}
      {report !== null && file !== null && <Report report={report} text={file.text} />}
      {file !== null && (
        <div className="console-actions">
          <Button kind="quiet" onClick={again}>
            {t(report?.applied ? "import.another" : "import.other_file")}
          </Button>
          {report !== null && !report.applied && report.problems.length === 0 && (
            <Button busy={busy} onClick={() => run(file, false)}>
              {t("import.do")}
            </Button>
          )}
        </div>
      )}
      {report?.applied && <Note tone="good">{t("import.done")}</Note>}
    </Panel>
  );
}
