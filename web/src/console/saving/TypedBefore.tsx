// That the fields of a form have what was typed before another page was shown; and what of it, as a secret, was
// not kept.
import { useTranslation } from "react-i18next";
import { Button, Note } from "~/design";

type Props = {
  /** Of a secret, that it is to be typed again. */
  again?: string | null;
  /** Whether anything else is here again. */
  isHere?: boolean;
  onDiscard: () => void;
};

export function TypedBefore({ again = null, isHere = true, onDiscard }: Props) {
  const { t } = useTranslation("console");
  const words = [isHere && t("typed_before.here"), again].filter(Boolean).join(" ");
  return (
    <>
      {words !== "" && <Note>{words}</Note>}
      <div className="mails-buttons">
        <Button kind="bare" onClick={onDiscard}>
          {t("typed_before.discard")}
        </Button>
      </div>
    </>
  );
}
