// Shows a secret that was just made, this once.
import { useTranslation } from "react-i18next";
import { Button, Dialog, Note } from "~/design";
import { CopyText } from "./CopyText";

type SecretProps = { title: string; text: string; secret: string | null; onClose: () => void };

export function SecretDialog({ title, text, secret, onClose }: SecretProps) {
  const { t } = useTranslation("console");
  return (
    <Dialog
      open={secret !== null}
      title={title}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t("copy.kept")}</Button>}
    >
      <div className="console-stack">
        <Note tone="warn">{text}</Note>
        <CopyText text={secret ?? ""} label={title} />
      </div>
    </Dialog>
  );
}
