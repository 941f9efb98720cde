// The shows of a form one by one: which are to be made, and afterwards what became of each.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Problem } from "~/api/client";
import type { Show } from "~/api/schema";
import { Note, useProblemWords } from "~/design";
import { dateTime, number } from "~/i18n/format";
import { shownAsUtc } from "../programme/clocks";
import { SHOWS_MAX } from "./showDraft";

export type Outcome =
  | { readonly time: string; readonly show: Show }
  | { readonly time: string; readonly error: unknown };

const SHOWN = {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
} as const;

const written = (time: string) => dateTime(shownAsUtc(time), SHOWN, "UTC");

type ListProps = {
  times: readonly string[];
  left: ReadonlySet<string>;
  busy: boolean;
  onLeave: (left: ReadonlySet<string>) => void;
};

export function TimesList({ times, left, busy, onLeave }: ListProps) {
  const { t } = useTranslation("films");
  if (times.length === 0) return <p className="console-quiet">{t("shows.no_times")}</p>;
  const leave = (time: string, isWanted: boolean) => {
    const next = new Set(left);
    if (isWanted) next.delete(time);
    else next.add(time);
    onLeave(next);
  };
  const count = times.filter((time) => !left.has(time)).length;
  return (
    <fieldset className="programme-times">
      <legend>{t("shows.list", { count })}</legend>
      {times.map((time) => (
        <label key={time}>
          <input
            type="checkbox"
            checked={!left.has(time)}
            aria-disabled={busy}
            onChange={({ target }) => !busy && leave(time, target.checked)}
          />
          <span className="tabular">{written(time)}</span>
        </label>
      ))}
      {times.length === SHOWS_MAX && (
        <p className="console-quiet">{t("shows.most", { max: number(SHOWS_MAX) })}</p>
      )}
    </fieldset>
  );
}

/** A show that was called off is found again by its screen and time; it is not made anew. */
const isThere = (one: Outcome) => "show" in one && one.show.state !== "called_off";

export function Outcomes({ of }: { of: readonly Outcome[] }) {
  const { t } = useTranslation("films");
  const made = of.filter(isThere).length;
  const refused = of.filter((one) => !isThere(one));
  return (
    <div role="status">
      {made > 0 && <Note tone="good">{t("shows.made", { count: made })}</Note>}
      {refused.length > 0 && (
        <Note tone="bad">
          <p>{t("shows.refused", { count: refused.length })}</p>
          <ul>
            {refused.map((one) => (
              <li key={one.time}>
                <span className="tabular">{written(one.time)}</span>: <Why of={one} />
              </li>
            ))}
          </ul>
        </Note>
      )}
    </div>
  );
}

function Why({ of }: { of: Outcome }) {
  const { t } = useTranslation("films");
  const words = useProblemWords();
  if ("show" in of)
    return <Link href={`/console/shows/${of.show.id}`}>{t("shows.called_off")}</Link>;
  const { error } = of;
  if (!(error instanceof Problem)) return <>{words(error)}</>;
  const { show_id: other } = error.data;
  if (error.code === "screen_occupied")
    return (
      <>
        {t("shows.occupied")}{" "}
        {typeof other === "string" && (
          <Link href={`/console/shows/${other}`}>{t("shows.open_other")}</Link>
        )}
      </>
    );
  if (error.code === "invalid_request") return <>{error.message}</>;
  return <>{words(error)}</>;
}
