// The end of a form that opened in place of what it changes: it is saved, or closed as it was.
import { useTranslation } from "react-i18next";
import { Button } from "~/design";

type SaveOrBackProps = { save: string; busy: boolean; onBack: () => void };

export function SaveOrBack({ save, busy, onBack }: SaveOrBackProps) {
  const { t } = useTranslation("console");
  return (
    <div className="console-actions">
      <Button type="submit" busy={busy}>
        {save}
      </Button>
      <Button kind="quiet" onClick={onBack}>
        {t("act.back")}
      </Button>
    </div>
  );
}
