// The shows of a day by cinema, with time, format, price and occupancy.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Badge } from "~/design";
import { dateTime, money } from "~/i18n/format";
import type { Show } from "~/api/schema";
import { fullnessOf, takenShare } from "./fullness";

export function byCinema(shows: readonly Show[]): { cinema: Show["cinema"]; shows: Show[] }[] {
  const found = new Map<string, { cinema: Show["cinema"]; shows: Show[] }>();
  for (const show of shows) {
    const own = found.get(show.cinema.id);
    if (own === undefined) found.set(show.cinema.id, { cinema: show.cinema, shows: [show] });
    else own.shows.push(show);
  }
  const all = [...found.values()];
  for (const one of all) {
    one.shows.sort((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at));
  }
  return all.sort((one, other) => one.cinema.name.localeCompare(other.cinema.name));
}

export function ShowTimes({ shows }: { shows: readonly Show[] }) {
  return (
    <div className="cinema-times">
      {byCinema(shows).map(({ cinema, shows: own }) => (
        <section key={cinema.id} className="cinema-venue" aria-labelledby={`at-${cinema.id}`}>
          <div className="cinema-venue-words">
            <h3 id={`at-${cinema.id}`}>
              <bdi>{cinema.name}</bdi>
            </h3>
            <p className="shop-quiet">
              <bdi>{cinema.address}</bdi>
            </p>
          </div>
          <ul role="list" className="cinema-venue-shows">
            {own.map((show) => (
              <li key={show.id}>
                <Time show={show} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Time({ show }: { show: Show }) {
  const { t } = useTranslation("cinema");
  const fullness = fullnessOf(show);
  const isOpen = fullness === "plenty" || fullness === "few";
  const words = [
    show.format,
    show.language,
    show.subtitles && t("subtitles", { in: show.subtitles }),
  ];
  const inner = (
    <>
      <span className="cinema-time-at tabular">
        {dateTime(show.starts_at, { timeStyle: "short" }, show.time_zone)}
      </span>
      <span className="cinema-time-how">
        <bdi>{words.filter(Boolean).join(" · ")}</bdi>
      </span>
      <span className="cinema-time-foot">
        {isOpen && <span>{t("from", { price: money(show.price_from, show.currency) })}</span>}
        {fullness !== "plenty" && (
          <Badge tone={fullness === "few" ? "warn" : "plain"}>
            {fullness === "few"
              ? t("fullness.few", { count: show.units_free })
              : t(`fullness.${fullness}`)}
          </Badge>
        )}
      </span>
      {isOpen && (
        <meter
          className="cinema-time-meter"
          min={0}
          max={1}
          value={takenShare(show)}
          aria-label={t("taken_share")}
        />
      )}
    </>
  );
  if (fullness === "closed") {
    return (
      <span className="cinema-time" data-fullness={fullness}>
        {inner}
      </span>
    );
  }
  return (
    <Link href={`/shows/${show.id}`} className="cinema-time" data-fullness={fullness}>
      {inner}
    </Link>
  );
}
