// The way to a mail when the turn comes near; the form comes when it is opened.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { worded } from "../worded";

const TurnMail = worded("shop_turn_mail", () => import("./TurnMail"));

export function TurnMailSection({ roomId, token }: { roomId: string; token: string }) {
  const { t } = useTranslation("shop_waiting");
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="card waiting-more" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("turn_mail")}</summary>
      {isOpen && <TurnMail key={token} roomId={roomId} token={token} />}
    </details>
  );
}
