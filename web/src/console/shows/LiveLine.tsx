// The state of the live connection.
import { useTranslation } from "react-i18next";
import type { LiveState } from "@bespeak/browser";

export function LiveLine({ line }: { line: LiveState }) {
  const { t } = useTranslation("console");
  return (
    <span className="console-line" data-line={line} role="status">
      <span className="console-line-dot" aria-hidden="true" />
      {t(`line.${line}`)}
    </span>
  );
}
