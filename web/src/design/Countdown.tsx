// A countdown by the server's clock. Each tick is computed from the fixed end, so a laptop that
// slept or a reload shows the right time.
import { secondsLeft } from "@bespeak/browser";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { lasting, number } from "~/i18n/format";
import { useNow } from "./useNow";

type CountdownProps = {
  endsAt: number;
  behindMs: number;
  onEnd?: () => void;
  warnSeconds?: number;
};

export function Countdown({ endsAt, behindMs, onEnd, warnSeconds = 60 }: CountdownProps) {
  const { t } = useTranslation("design");
  const left = secondsLeft(endsAt, behindMs, useNow(250));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) onEnd?.();
    // Called once for each end, with the callback of that render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isOver, endsAt]);
  const clock = [
    number(Math.floor(left / 60), { useGrouping: false }),
    number(left % 60, { minimumIntegerDigits: 2 }),
  ].join(":");
  return (
    <span className="countdown tabular" data-urgent={left <= warnSeconds || undefined} role="timer">
      <span aria-hidden="true">{clock}</span>
      <span className="visually-hidden">
        {t("time_left", {
          minutes: lasting(Math.floor(left / 60), "minute"),
          seconds: lasting(left % 60, "second"),
        })}
      </span>
    </span>
  );
}
