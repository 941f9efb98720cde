// Why something was not saved, or not taken away. Where somebody else changed the same, one does it again,
// or loads theirs.
import { useTranslation } from "react-i18next";
import { Button, ErrorNote, Note } from "~/design";
import { ChangedMeanwhile } from "./changedMeanwhile";

/** `onAnew` loads what others have saved, in place of what was typed. */
type Props = { error: unknown; onAnew?: (() => void) | undefined };

export function SaveRefused({ error, onAnew }: Props) {
  const { t } = useTranslation("console");
  if (error === null) return null;
  if (!(error instanceof ChangedMeanwhile)) return <ErrorNote error={error} />;
  return (
    <div role="alert">
      <Note
        tone="bad"
        actions={
          <Button kind="quiet" size="small" onClick={onAnew}>
            {t("changed_meanwhile.anew")}
          </Button>
        }
      >
        {t(error.isToGo ? "changed_meanwhile.text_to_go" : "changed_meanwhile.text")}
      </Note>
    </div>
  );
}
