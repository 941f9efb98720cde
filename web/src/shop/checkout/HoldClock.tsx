// The countdown of the hold, and an extension in its last two minutes.
import { secondsLeft } from "@bespeak/browser";
import { useTranslation } from "react-i18next";
import { Button, Countdown, ErrorNote, useNow } from "~/design";
import type { HoldView } from "~/api/schema";
import { useShop } from "../session";
import { inWords, wordingOf } from "../wording";
import { extensionSeconds, type useHoldVerbs } from "./useHold";

const OFFERED_BELOW_SECONDS = 120;

type HoldClockProps = { hold: HoldView; extend: ReturnType<typeof useHoldVerbs>["extend"] };

export function HoldClock({ hold, extend }: HoldClockProps) {
  const { t } = useTranslation("shop");
  const { behindMs } = useShop();
  const endsAt = Date.parse(hold.expires_at);
  const now = useNow(1000);
  const left = secondsLeft(endsAt, behindMs, now);
  const whole = Math.max(1, (endsAt - Date.parse(hold.created_at)) / 1000);
  const mayExtend =
    left > 0 && left < OFFERED_BELOW_SECONDS && extensionSeconds(hold, now + behindMs) > left;
  return (
    <div className="checkout-clock" data-urgent={left <= 60 || undefined}>
      <p>
        {t("checkout.kept_for", inWords(wordingOf(hold.lines)))}{" "}
        <Countdown endsAt={endsAt} behindMs={behindMs} />
      </p>
      <progress max={whole} value={Math.min(left, whole)} aria-hidden="true" />
      {mayExtend && (
        <Button
          kind="quiet"
          size="small"
          busy={extend.isPending}
          onClick={() => extend.mutate(hold)}
        >
          {t("checkout.extend")}
        </Button>
      )}
      {extend.isError && <ErrorNote error={extend.error} />}
      <p className="visually-hidden" role="status">
        {left > 0 && left <= 60 ? t("checkout.last_minute") : ""}
      </p>
    </div>
  );
}
