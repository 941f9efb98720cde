// A time: of a show in its own time zone, of anything else in this device's.
import { dateTime } from "~/i18n/format";

const FULL: Intl.DateTimeFormatOptions = {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
};
const EXACT: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "medium" };

/** Whether a name already contains the time, so that it need not be repeated. */
export function saysWhen(name: string, at: string | null, zone: string | null): boolean {
  if (at === null) return true;
  const clock = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    ...(zone === null ? {} : { timeZone: zone }),
  });
  return name.includes(clock.format(new Date(at)));
}

type WhenProps = { at: string | null; zone?: string | null; exact?: boolean };

export function When({ at, zone = null, exact = false }: WhenProps) {
  if (at === null) return <>–</>;
  return (
    <time dateTime={at} className="tabular">
      {dateTime(at, exact ? EXACT : FULL, zone)}
    </time>
  );
}

type Timed = { name: string; starts_at: string | null; time_zone: string };

/** When a show begins, unless its name says so. */
export function ShowTime({ of: { name, starts_at: at, time_zone: zone } }: { of: Timed }) {
  if (saysWhen(name, at, zone)) return null;
  return (
    <span className="console-quiet">
      <When at={at} zone={zone} />
    </span>
  );
}
