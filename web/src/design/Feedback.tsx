// Badges, spinners, skeletons, empty states, notes and errors.
import type { CSSProperties, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Problem, UNREACHABLE } from "~/api/client";
import { Button } from "./Button";

type Tone = "plain" | "good" | "warn" | "bad" | "accent";

export function Badge({ tone = "plain", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}

export function Spinner({ label }: { label?: string }) {
  const { t } = useTranslation("design");
  return (
    <span role="status">
      <span className="spinner" aria-hidden="true" style={{ display: "inline-block" }} />
      <span className="visually-hidden">{label ?? t("loading")}</span>
    </span>
  );
}

export function Skeleton({ width = "100%", height = "1em" }: { width?: string; height?: string }) {
  const size: CSSProperties = { inlineSize: width, blockSize: height };
  return <div className="skeleton" style={size} aria-hidden="true" />;
}

export function EmptyState(props: { title: ReactNode; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{props.title}</h2>
      {props.children}
      {props.actions}
    </div>
  );
}

export function Note(props: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
}) {
  const { tone = "plain", icon = tone === "bad" || tone === "warn" ? "!" : "i" } = props;
  return (
    <div className="note" data-tone={tone}>
      <strong aria-hidden="true">{icon}</strong>
      <div>{props.children}</div>
      {props.actions && <div className="note-actions">{props.actions}</div>}
    </div>
  );
}

/** An error message, with a retry button if `onRetry` is given. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const words = useProblemWords();
  const { t } = useTranslation("design");
  const mayRetry = onRetry !== undefined;
  return (
    <div role="alert">
      <Note
        tone="bad"
        actions={
          mayRetry && (
            <Button kind="quiet" size="small" onClick={onRetry}>
              {t("retry")}
            </Button>
          )
        }
      >
        {words(error)}
      </Note>
    </div>
  );
}

/** The message of an error, translated where there is a translation for its code. */
export function useProblemWords(): (error: unknown) => string {
  const { t, i18n } = useTranslation("design");
  return (error) => {
    if (!(error instanceof Problem)) return t("problems.unknown");
    const key = `problems.${error.code === UNREACHABLE ? "unreachable" : error.code}`;
    return i18n.exists(key, { ns: "design" }) ? t(key) : error.message;
  };
}
