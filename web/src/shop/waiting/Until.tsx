// How long it is until something opens, by the server's clock.
import { secondsLeft } from "@bespeak/browser";
import { useTranslation } from "react-i18next";
import { Countdown, useNow } from "~/design";
import { duration } from "~/i18n/format";
import { useShop } from "../session";

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

export function Until({ at, label }: { at: string; label: string }) {
  const { t } = useTranslation("shop_waiting");
  const { behindMs } = useShop();
  const endsAt = Date.parse(at);
  const left = secondsLeft(endsAt, behindMs, useNow(1000));
  return (
    <p className="waiting-until">
      <span>{label}</span>{" "}
      {left === 0 ? (
        <strong>{t("any_moment")}</strong>
      ) : left <= HOUR_SECONDS ? (
        <Countdown endsAt={endsAt} behindMs={behindMs} />
      ) : (
        <strong>
          {left > DAY_SECONDS
            ? t("in_days", { count: Math.round(left / DAY_SECONDS) })
            : duration(Math.round(left / 60))}
        </strong>
      )}
    </p>
  );
}
