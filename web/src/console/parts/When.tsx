// A time as people read it: that of a show by the clocks where it is, any other by this device's.
import { dateTime } from "~/i18n/format";

const FULL: Intl.DateTimeFormatOptions = {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
};
const EXACT: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "medium" };

/** Whether a name says already when it is, by the clocks there; then nobody needs to read it twice. */
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
