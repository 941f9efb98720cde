// A modal dialog on the browser's own <dialog>: focus is kept in it, Escape closes it.
import { useEffect, useId, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button";

type DialogProps = {
  open: boolean;
  /** All of the screen, and light, whatever the theme. */
  isSheet?: boolean;
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
  actions?: ReactNode;
};

export function Dialog({ open, isSheet = false, title, onClose, children, actions }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { t } = useTranslation("design");
  useEffect(() => {
    const dialog = element.current;
    if (open && dialog && !dialog.open) dialog.showModal();
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  return (
    <dialog
      ref={element}
      className={isSheet ? "dialog dialog-sheet" : "dialog"}
      aria-labelledby={id}
      onClose={onClose}
    >
      {open && (
        <>
          <div className="dialog-head">
            <h2 id={id}>{title}</h2>
            <Button kind="bare" size="small" onClick={onClose} aria-label={t("close")}>
              ✕
            </Button>
          </div>
          {children}
          {actions && <div className="dialog-actions">{actions}</div>}
        </>
      )}
    </dialog>
  );
}
