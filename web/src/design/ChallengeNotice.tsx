// Says that the page is solving a challenge: shown, and announced by screen readers.
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { whenChallenged } from "~/api/challenge";
import { useToast } from "./Toasts";

export function ChallengeNotice() {
  const { t } = useTranslation("design");
  const tell = useToast();
  useEffect(() => whenChallenged(() => tell(t("challenge"))), [tell, t]);
  return null;
}
