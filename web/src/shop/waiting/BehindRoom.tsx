// A show that this browser knows to be behind a waiting room says so before anything is chosen.
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { ButtonLink, Note } from "~/design";
import { useRoomNow } from "./room";
import { whenOf } from "./SoldHere";
import { hasOpened } from "./standing";

export default function BehindRoom({ roomId }: { roomId: string }) {
  const { t } = useTranslation("shop_waiting");
  const [path] = useLocation();
  const { data: room, error } = useRoomNow(roomId);
  if (room === undefined || error !== null || room.phase === "ended") return null;
  const href = `/waiting/${encodeURIComponent(roomId)}?from=${encodeURIComponent(path)}`;
  return (
    <Note
      tone="accent"
      actions={
        <ButtonLink href={href} size="small">
          {t("behind.go")}
        </ButtonLink>
      }
    >
      {t(hasOpened(room) ? "behind.open" : "behind.early", { when: whenOf(room.opens_at) })}
    </Note>
  );
}
