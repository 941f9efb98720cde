// What is lost by being forgotten on this device, and the button that does it.
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Button, Dialog, ErrorNote, Note } from "~/design";
import { unitsIn, useLiveHolds } from "../holds";
import { useShop } from "../session";
import { inWords, wordingOf } from "../wording";
import { forgetMe } from "./forget";

export default function ForgetDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("shop_forget");
  const { api } = useShop();
  const holds = useLiveHolds();
  const lines = holds.items.flatMap((hold) => hold.lines);
  const count = unitsIn(lines);
  const forgetting = useMutation({
    mutationFn: () => forgetMe(api, holds.items),
    // A page that is loaded anew follows no live stream of before, and has nothing in its memory.
    onSuccess: () => globalThis.location.replace("/"),
  });
  return (
    <Dialog
      open
      title={t("title")}
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {t("stay")}
          </Button>
          <Button kind="danger" busy={forgetting.isPending} onClick={() => forgetting.mutate()}>
            {t("go")}
          </Button>
        </>
      }
    >
      <p>{t("text")}</p>
      {count > 0 && <Note tone="warn">{t("held", { count, ...inWords(wordingOf(lines)) })}</Note>}
      <p className="shop-quiet">{t("still")}</p>
      {forgetting.error !== null && <ErrorNote error={forgetting.error} />}
    </Dialog>
  );
}
