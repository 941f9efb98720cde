// The time that is left, by the server's clock. It is reckoned anew at each tick from a fixed end, so
// that a sleeping laptop or a reloaded page shows the truth.
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

/** Whole seconds left until `endsAt` (server's time, ms since 1970), given how far this device's clock is behind the server's. */
export function secondsLeft(endsAt: number, behindMs: number, now = Date.now()): number {
  return Math.max(0, Math.ceil((endsAt - (now + behindMs)) / 1000));
}

type CountdownProps = {
  endsAt: number;
  behindMs: number;
  onEnd?: () => void;
  warnSeconds?: number;
};

export function Countdown({ endsAt, behindMs, onEnd, warnSeconds = 60 }: CountdownProps) {
  const { t } = useTranslation("design");
  const [left, setLeft] = useState(() => secondsLeft(endsAt, behindMs));
  useEffect(() => {
    const tick = () => setLeft(secondsLeft(endsAt, behindMs));
    tick();
    const timer = setInterval(tick, 250);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [endsAt, behindMs]);
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) onEnd?.();
    // Told once for each end, whatever the caller's closure is by then.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isOver, endsAt]);
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return (
    <span className="countdown tabular" data-urgent={left <= warnSeconds || undefined} role="timer">
      <span aria-hidden="true">{clock}</span>
      <span className="visually-hidden">
        {t("time_left", { minutes: Math.floor(left / 60), seconds: left % 60 })}
      </span>
    </span>
  );
}
