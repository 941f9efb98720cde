// The command to be forgotten on this device. Few visitors give it: what it says comes when it is asked for.
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "~/design";
import { worded } from "../worded";

const ForgetDialog = worded("shop_forget", () => import("./ForgetDialog"));

export function ForgetMe() {
  const { t } = useTranslation("shop");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="bare" size="small" onClick={() => setOpen(true)}>
        {t("forget.open")}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ForgetDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
