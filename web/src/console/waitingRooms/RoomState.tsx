import { useTranslation } from "react-i18next";
import type { WaitingRoom } from "~/api/schema";
import { Badge } from "~/design";

const TONES = { scheduled: "accent", open: "good", paused: "warn", ended: "plain" } as const;

export function RoomState({ of: room }: { of: WaitingRoom }) {
  const { t } = useTranslation("waiting_rooms");
  const isSoldOut = room.state === "open" && room.sold_out;
  return (
    <>
      <Badge tone={isSoldOut ? "warn" : TONES[room.state]}>
        {t(`states.${isSoldOut ? "sold_out" : room.state}`)}
      </Badge>
      {room.draining && room.state !== "ended" && <Badge tone="warn">{t("states.draining")}</Badge>}
    </>
  );
}
