// From when to when, or from where to where, in words: nights as dates, times by the clock of the resource, stops of
// a run by their names.
import type { Resource } from "~/api/schema";
import { foreignZone, tellingTime } from "~/i18n/format";
import { dateIn, isDate } from "./days";
import { daysText } from "./nights";

type Of = Pick<Resource, "plan" | "time_zone"> & { readonly words?: Resource["words"] };

const MOMENT = {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
} as const;
const CLOCK = { hour: "numeric", minute: "2-digit" } as const;
const OFFSET = /(Z|[-+ ]\d\d:\d\d)$/i;

/** "" where there is no range, or what was typed is none: a link may lead somebody else to the page. */
export function rangeWords(of: Of, from: string | undefined, to: string | undefined): string {
  if (from === undefined || from === "") return "";
  const { plan } = of;
  if (plan.type === "legs") {
    const name = (code: string) => {
      const stop = plan.stops.find((one) => one.code === code);
      const said = stop?.name ?? stop?.code ?? "";
      return of.words?.[said] ?? said;
    };
    return [name(from), name(to ?? "")].filter(Boolean).join(" – ");
  }
  if (isDate(from) && isDate(to ?? "")) return daysText(from, to ?? "");
  return timesText(from, to ?? "", of.time_zone);
}

/** By the clock that the texts themselves have, where the zone is not known: they are told by that of the resource. */
export function timesAsWritten(from: string, to: string): string {
  return timesText(from.replace(OFFSET, ""), to.replace(OFFSET, ""), "UTC");
}

/** A time without an offset is what the clock of the resource shows. */
function timesText(from: string, to: string, zone: string): string {
  const isWall = !OFFSET.test(from);
  const shownIn = isWall ? "UTC" : zone;
  const [start, end] = [at(from), at(to)];
  if (start === null) return "";
  const first = tellingTime(start, MOMENT, shownIn);
  const sameDay = end !== null && dateIn(shownIn, start) === dateIn(shownIn, end);
  const last = end === null ? "" : tellingTime(end, sameDay ? CLOCK : MOMENT, shownIn);
  const foreign = isWall ? null : foreignZone(start.toISOString(), zone);
  return `${[first, last].filter(Boolean).join(" – ")}${foreign === null ? "" : ` (${foreign})`}`;
}

/** Null for what is no time. */
function at(text: string): Date | null {
  const found = new Date(OFFSET.test(text) ? text.replace(" ", "+") : `${text}Z`);
  return text === "" || Number.isNaN(found.getTime()) ? null : found;
}
