// What this device has for the time without a network: of when the list is, and whether the page loads.
import { useTranslation } from "react-i18next";
import { useNow } from "~/design";
import { dateTime } from "~/i18n/format";
import { useKeptPage } from "./keptPage";

const LOOK_MS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function KeptState({ asOf }: { asOf: string | null }) {
  const { t, i18n } = useTranslation("console");
  const isKept = useKeptPage();
  const now = useNow(LOOK_MS);
  return (
    <section className="scanner-kept" aria-label={t("scanner.without_network")}>
      <h2 className="scanner-before">{t("scanner.without_network")}</h2>
      <p>
        {asOf === null
          ? t("scanner.nothing_kept")
          : t("scanner.as_of", {
              time: dateTime(asOf, { dateStyle: "short", timeStyle: "medium" }),
              ago: ago(now - Date.parse(asOf), i18n.language),
            })}
      </p>
      {isKept !== null && <p>{t(isKept ? "scanner.page_kept" : "scanner.page_not_kept")}</p>}
    </section>
  );
}

/** How long ago, as roughly as it matters at a door. */
function ago(ms: number, language: string): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  if (ms < MINUTE_MS) return words.format(0, "minute");
  return ms < 2 * HOUR_MS
    ? words.format(-Math.floor(ms / MINUTE_MS), "minute")
    : words.format(-Math.floor(ms / HOUR_MS), "hour");
}
