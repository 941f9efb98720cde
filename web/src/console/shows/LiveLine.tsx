// The state of the live connection.
import { useTranslation } from "react-i18next";
import type { LineState } from "~/api/stream";

export function LiveLine({ line }: { line: LineState }) {
  const { t } = useTranslation("console");
  return (
    <span className="console-line" data-line={line} role="status">
      <span className="console-line-dot" aria-hidden="true" />
      {t(`line.${line}`)}
    </span>
  );
}
