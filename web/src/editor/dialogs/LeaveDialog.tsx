// Leaving with changes that are not saved: the browser asks where the page goes, and this where only
// the view would.
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Button, Dialog } from "~/design";

export function LeaveDialog({ isDirty, onLeave }: { isDirty: boolean; onLeave: () => void }) {
  const { t } = useTranslation("editor");
  const [, go] = useLocation();
  const [wanted, setWanted] = useState<string | null>(null);
  useEffect(() => {
    if (!isDirty) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (
        !(link instanceof HTMLAnchorElement) ||
        !isPlain ||
        link.origin !== location.origin ||
        link.download ||
        link.target === "_blank"
      )
        return;
      event.preventDefault();
      event.stopPropagation();
      setWanted(link.pathname + link.search);
    };
    globalThis.addEventListener("beforeunload", onUnload);
    // Before the router's own listener, which would follow the link.
    document.addEventListener("click", onClick, true);
    return () => {
      globalThis.removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, true);
    };
  }, [isDirty]);
  return (
    <Dialog
      open={wanted !== null}
      title={t("leave.title")}
      onClose={() => setWanted(null)}
      actions={
        <>
          <Button kind="quiet" onClick={() => setWanted(null)}>
            {t("leave.stay")}
          </Button>
          <Button
            kind="danger"
            onClick={() => {
              onLeave();
              if (wanted !== null) go(wanted);
            }}
          >
            {t("leave.leave")}
          </Button>
        </>
      }
    >
      <p>{t("leave.text")}</p>
    </Dialog>
  );
}
