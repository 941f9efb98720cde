// The nights that were chosen of a room: the way to their prices, and the dialog that blocks them
// with a reason.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, ButtonLink, Field } from "~/design";
import { Act } from "../parts";
import { dayAfter } from "../reports/days";
import { api } from "../session";
import { BOARD } from "./calls";
import { shortDay, type Chosen } from "./days";

const REASON_MAX = 500;

type Props = { property: string; chosen: Chosen; onEnd: () => void };

export function BlockNights({ property, chosen, onEnd }: Props) {
  const { t } = useTranslation("board");
  const [asking, ask] = useState(false);
  const [reason, setReason] = useState("");
  const { listing, room, from, to } = chosen;
  const words = t("chosen", {
    room: room ?? t("one_room"),
    from: shortDay(from),
    to: shortDay(dayAfter(to, 1)),
  });
  const block = async (key: string) => {
    const nights = { from, to: dayAfter(to, 1) };
    await api.POST("/v1/resources/{resource_id}/blocks", {
      path: { resource_id: listing },
      key,
      body: {
        lines: [room === null ? { ...nights, quantity: 1 } : { ...nights, unit: room }],
        reason: reason.trim(),
      },
    });
    onEnd();
    return t("blocked");
  };
  return (
    <div className="board-chosen">
      <span role="status">{words}</span>
      <Button size="small" onClick={() => ask(true)}>
        {t("block")}
      </Button>
      <ButtonLink
        size="small"
        kind="quiet"
        href={`/console/stays/${property}/nights?${new URLSearchParams({ listing, from, last: to })}`}
      >
        {t("prices")}
      </ButtonLink>
      <Button size="small" kind="quiet" onClick={onEnd}>
        {t("leave")}
      </Button>
      <Act
        open={asking}
        title={t("block_title")}
        verb={t("block")}
        disabled={reason.trim() === ""}
        onClose={() => ask(false)}
        refetches={[BOARD]}
        act={block}
      >
        <p>{words}</p>
        <Field
          label={t("reason")}
          value={reason}
          maxLength={REASON_MAX}
          required
          onChange={({ target }) => setReason(target.value)}
        />
      </Act>
    </div>
  );
}
