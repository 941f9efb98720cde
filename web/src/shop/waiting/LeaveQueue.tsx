// Gives the place up before the turn, after a question: nobody can bring it back.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { WaitingRoomNow } from "~/api/schema";
import { Button, Dialog, ErrorNote } from "~/design";
import { useShop } from "../session";
import { takesCodes } from "./inviteCodes";
import { dropToken } from "./keptTokens";

type LeaveProps = { room: WaitingRoomNow; token: string; queue: string | null };

export function LeaveQueue({ room, token, queue }: LeaveProps) {
  const { t } = useTranslation("shop_waiting");
  const { api } = useShop();
  const [, navigate] = useLocation();
  const [isAsked, setAsked] = useState(false);
  const leave = useMutation({
    mutationFn: () =>
      api.DELETE("/v1/waiting-rooms/{waiting_room_id}/passes", {
        path: { waiting_room_id: room.id },
        query: { queue_token: token },
        parseAs: "text",
        repeats: true,
      }),
    onSuccess: () => {
      dropToken(room.id);
      // Without where they came from: else the next look at this address would join again.
      const query = queue === null ? "" : `?queue=${encodeURIComponent(queue)}`;
      navigate(`/waiting/${encodeURIComponent(room.id)}${query}`, { replace: true });
    },
  });
  return (
    <div>
      <Button kind="bare" size="small" onClick={() => setAsked(true)}>
        {t("give_up.ask")}
      </Button>
      {isAsked && (
        <Dialog
          open
          title={t("give_up.title")}
          onClose={() => setAsked(false)}
          actions={
            <>
              <Button kind="quiet" onClick={() => setAsked(false)}>
                {t("give_up.stay")}
              </Button>
              <Button kind="danger" busy={leave.isPending} onClick={() => leave.mutate()}>
                {t("give_up.verb")}
              </Button>
            </>
          }
        >
          <p>{t(room.draining ? "give_up.draining" : "give_up.text")}</p>
          {takesCodes(room) && !room.draining && <p>{t("give_up.code")}</p>}
          {leave.isError && <ErrorNote error={leave.error} />}
        </Dialog>
      )}
    </div>
  );
}
