// A waiting room that has ended, or never was: what it stood before is sold without it.
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { ButtonLink } from "~/design";
import { dropPass } from "../passes";
import { Page } from "../shell/Page";
import { dropToken, keptToken } from "./keptTokens";

export function RoomOver({ roomId, back }: { roomId: string; back: string | null }) {
  const { t } = useTranslation("shop_waiting");
  const wayBack = back ?? keptToken(roomId)?.back ?? null;
  useEffect(
    () => () => {
      dropToken(roomId);
      dropPass(roomId);
    },
    [roomId],
  );
  return (
    <Page title={t("stages.ended.title")} className="shop-narrow">
      <p className="shop-lead">{t("stages.ended.text")}</p>
      <p>
        <ButtonLink href={wayBack ?? "/"}>{t(wayBack === null ? "home" : "go")}</ButtonLink>
      </p>
    </Page>
  );
}
