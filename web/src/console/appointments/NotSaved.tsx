// Why a team was not saved: others changed the same, or somebody has booked what it would take away; and what
// one can do then.
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import { Note } from "~/design";
import { Refused } from "../programme/Refused";

type Props = { error: unknown; onAnew?: () => void };

export function NotSaved({ error, onAnew }: Props) {
  const { t } = useTranslation("appointments");
  if (!(error instanceof Problem) || error.code !== "resource_in_use")
    return <Refused error={error} onAnew={onAnew} />;
  return (
    <div role="alert">
      <Note tone="bad">
        <p>{t("refused.resource_in_use")}</p>
        <p>{t("refused.detail", { detail: error.message })}</p>
      </Note>
    </div>
  );
}
