// Opening a file, and what is wrong with one that cannot be opened: where, and what was expected.
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Problem } from "~/api/client";
import { Button, Dialog, Note, useProblemWords } from "~/design";
import type { SeatsPlan } from "~/seatmap/plan";
import { readFile, type Refusal } from "../files";
import { ToolIcon } from "../Icon";

type Props = {
  open: boolean;
  onClose: () => void;
  onRead: (plan: SeatsPlan, title: string) => void;
  /** Why a file that was dropped on the editor could not be read. */
  refused: Refusal | null;
};

const FAULTS_SHOWN = 8;

export function OpenDialog({ open, ...props }: Props) {
  const { t } = useTranslation("editor");
  return (
    <Dialog open={open} title={t("file.title")} onClose={props.onClose}>
      <Chooser {...props} />
    </Dialog>
  );
}

function Chooser({ onRead, onClose, refused }: Omit<Props, "open">) {
  const { t } = useTranslation("editor");
  const [refusal, setRefusal] = useState(refused);
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined) => {
    if (!file) return;
    const made = await readFile(file);
    if (!("plan" in made)) return setRefusal(made);
    onRead(made.plan, made.title);
    onClose();
  };
  return (
    <div
      className="editor-drop"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void read(event.dataTransfer.files[0]);
      }}
    >
      {refusal && (
        <div role="alert" className="editor-faults">
          <Note tone="bad">
            <strong>{t("file.refused")}</strong>
            <ul>{"problem" in refusal ? <FromCsv {...refusal} /> : <FromJson {...refusal} />}</ul>
          </Note>
        </div>
      )}
      <ToolIcon name="import" size={32} />
      <p>{t("file.text")}</p>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        aria-label={t("file.choose")}
        tabIndex={-1}
        accept=".json,.csv,.tsv,.txt,application/json,text/csv"
        onChange={(event) => {
          void read(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      <Button kind="quiet" onClick={() => input.current?.click()}>
        {t("file.choose")}
      </Button>
    </div>
  );
}

/** What the engine says of a CSV: a line, a column and a reason, or that it could not look at it. */
function FromCsv({ problem }: { problem: Problem }) {
  const { t } = useTranslation("editor");
  const words = useProblemWords();
  const { line, column, reason, value } = problem.data;
  if (problem.code !== "invalid_request") return <li>{words(problem)}</li>;
  if (typeof reason !== "string") return <li>{problem.message}</li>;
  return (
    <li>
      {t("file.line", { line, column })}: {t(`csv.${reason}`, { detail: value })}
    </li>
  );
}

function FromJson({ faults }: Extract<Refusal, { faults: unknown }>) {
  const { t } = useTranslation("editor");
  return faults.slice(0, FAULTS_SHOWN).map((fault) => (
    <li key={fault.path + fault.code}>
      {fault.path !== "" && <code>{fault.path}</code>}{" "}
      {t(`fault.${fault.code}`, { detail: fault.detail })}
    </li>
  ));
}
