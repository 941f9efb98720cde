// Code in colours, with a button that copies it.
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/design";
import { piecesOf } from "./highlight";

const COPIED_MS = 1800;

export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="docs-code" dir="ltr">
      <CopyButton text={code} label={label} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard */}
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>
          {piecesOf(code).map(({ text, kind }, place) =>
            kind === null ? (
              text
            ) : (
              // oxlint-disable-next-line react/no-array-index-key -- the pieces have no other name
              <span key={place} data-kind={kind}>
                {text}
              </span>
            ),
          )}
        </code>
      </pre>
    </div>
  );
}

function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation("docs");
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = () => {
    // Without access to the clipboard the text can still be selected.
    navigator.clipboard.writeText(text).then(
      () => setDone(true),
      () => setDone(false),
    );
  };
  return (
    <button
      type="button"
      className="docs-copy"
      onClick={copy}
      aria-label={`${t(done ? "copied" : "copy")}: ${label}`}
    >
      <Icon name={done ? "check" : "copy"} size={16} />
      <span aria-live="polite">{t(done ? "copied" : "copy")}</span>
    </button>
  );
}
