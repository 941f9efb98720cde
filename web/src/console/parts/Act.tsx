// A dialog that asks before an action and shows its error. Retries use the same idempotency key
// until the dialog is closed.
import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { idempotencyKey } from "~/api/client";
import { Button, Dialog, useToast } from "~/design";
import { SaveRefused } from "../saving/SaveRefused";

type ActProps = {
  open: boolean;
  title: string;
  children: ReactNode;
  verb: string;
  dangerous?: boolean;
  disabled?: boolean;
  onClose: () => void;
  /** The key of the queries that are stale then. */
  refetches?: QueryKey;
  /** Runs the action and throws its Problem; the dialog closes on success. What it gives is told. */
  act: (key: string) => Promise<string | void>;
  /** Loads what others changed meanwhile, where the action tells of that. */
  onAnew?: () => void;
  /** False where the children show its error. */
  tellsError?: boolean;
};

export function Act(props: ActProps) {
  const { title, children, verb, onClose, onAnew, refetches, act, tellsError = true } = props;
  const { t } = useTranslation("console");
  const tell = useToast();
  const queries = useQueryClient();
  const key = useRef<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const close = () => {
    key.current = null;
    setError(null);
    onClose();
  };
  const run = () => {
    key.current ??= idempotencyKey();
    setBusy(true);
    setError(null);
    const succeed = (done: string | void) => {
      if (done) tell(done);
      if (refetches) void queries.invalidateQueries({ queryKey: refetches });
      close();
    };
    act(key.current)
      .then(succeed, setError)
      .finally(() => setBusy(false));
  };
  return (
    <Dialog
      open={props.open}
      title={title}
      onClose={close}
      actions={
        <>
          <Button kind="quiet" onClick={close}>
            {t("act.back")}
          </Button>
          <Button
            kind={props.dangerous ? "danger" : "primary"}
            busy={busy}
            disabled={props.disabled}
            onClick={run}
          >
            {verb}
          </Button>
        </>
      }
    >
      <div className="console-stack">
        {children}
        <SaveRefused
          error={tellsError ? error : null}
          onAnew={() => {
            close();
            onAnew?.();
          }}
        />
      </div>
    </Dialog>
  );
}

type ActButtonProps = Omit<ActProps, "open" | "onClose"> & {
  /** By default the verb. */
  label?: ReactNode;
  kind?: "primary" | "quiet" | "danger";
  size?: "normal" | "small";
};

export function ActButton({ label, kind = "quiet", size = "normal", ...act }: ActButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} size={size} onClick={() => setOpen(true)}>
        {label ?? act.verb}
      </Button>
      <Act {...act} open={open} onClose={() => setOpen(false)} />
    </>
  );
}
