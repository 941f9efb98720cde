// Opening a file, and what is wrong with one that cannot be opened: where, and what was expected.
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "~/design/Button";
import { Dialog } from "~/design/Dialog";
import { Note } from "~/design/Feedback";
import type { SeatsPlan } from "~/seatmap/plan";
import { readFile, type FileReading } from "../files";
import { ToolIcon } from "../Icon";

type Props = {
  open: boolean;
  onClose: () => void;
  onRead: (plan: SeatsPlan, title: string) => void;
  /** A file that was dropped on the editor and could not be read. */
  refused: FileReading | null;
};

export function OpeningDialog({ open, onClose, onRead, refused }: Props) {
  const { t } = useTranslation("editor");
  return (
    <Dialog open={open} title={t("file.title")} onClose={onClose}>
      <Chooser onRead={onRead} onClose={onClose} refused={refused} />
    </Dialog>
  );
}

function Chooser({ onRead, onClose, refused }: Omit<Props, "open">) {
  const { t } = useTranslation("editor");
  const [reading, setReading] = useState<FileReading | null>(refused);
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined) => {
    if (!file) return;
    const made = await readFile(file);
    if ("plan" in made) {
      onRead(made.plan, made.title);
      onClose();
    } else setReading(made);
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
      {reading && <Faults reading={reading} />}
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

function Faults({ reading }: { reading: FileReading }) {
  const { t } = useTranslation("editor");
  if ("plan" in reading) return null;
  return (
    <div role="alert" className="editor-faults">
      <Note tone="bad">
        <strong>{t("file.refused")}</strong>
        <ul>
          {"csv" in reading ? (
            <li>
              {t("file.line", { line: reading.csv.line, column: reading.csv.column })}:{" "}
              {t(`csv.${reading.csv.code}`, { detail: reading.csv.detail })}
            </li>
          ) : (
            reading.faults.slice(0, 8).map((fault) => (
              <li key={fault.path + fault.code}>
                {fault.path !== "" && <code>{fault.path}</code>}{" "}
                {t(`fault.${fault.code}`, { detail: fault.detail })}
              </li>
            ))
          )}
        </ul>
      </Note>
    </div>
  );
}
