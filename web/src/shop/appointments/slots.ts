// The free times of a day by the clock of the team, and those that a guest who changes an appointment has besides:
// the time of their own is theirs to keep.
import type { Team, TeamService, TimeSlot } from "~/api/schema";
import { dateIn } from "../days";

export const PARTS = ["night", "morning", "afternoon", "evening"] as const;
export type Part = (typeof PARTS)[number];
export type Time = {
  readonly from: string;
  readonly to: string;
  readonly available: number;
  /** Of one place, which the demand may have changed. */
  readonly price: number;
};

/** An appointment of one's own; it may be of several places. */
export type Own = {
  readonly provider: string;
  readonly from: string;
  readonly to: string;
  readonly quantity?: number | null;
};

const MORNING = 5;
const NOON = 12;
const EVENING = 17;
const MINUTE_MS = 60_000;
// These are no others' appointments: the time cannot be had whoever gives up theirs.
const OWN_CAN_HAVE: ReadonlySet<string> = new Set(["booked", "held", "sold_out"]);

type Buffers = Pick<TeamService, "buffer_before_minutes" | "buffer_after_minutes">;
/** From when until when, in ms since 1970. */
type Span = readonly [number, number];

/** The times that can be had by a provider or, where none is said, by anyone, in order. With `own` a guest changes that
 *  appointment: its own time is free with whoever gives it, and with nobody else. */
export function freeTimes(
  slots: readonly TimeSlot[],
  provider = "",
  own: Own | null = null,
  buffers: Buffers = { buffer_before_minutes: 0, buffer_after_minutes: 0 },
): Time[] {
  const free = slots.filter(({ reason }) => !reason);
  const taken = slots.filter(({ reason }) => reason);
  const keeps = own !== null && ["", own.provider].includes(provider) ? own : null;
  const mine = keeps === null ? [] : taken.filter((slot) => isFreedBy(slot, keeps, free, buffers));
  const places = own?.quantity ?? 1;
  return [...free, ...mine.map((slot) => ({ ...slot, available: places }))]
    .map(({ from, to, available, price }) => ({ from, to, available, price }))
    .sort((one, other) => Date.parse(one.from) - Date.parse(other.from));
}

/** Whether a taken slot is free but for one's own appointment: what of it lies outside of that is known to be free,
 *  because a slot that has it is. */
function isFreedBy(slot: TimeSlot, own: Own, free: readonly TimeSlot[], buffers: Buffers): boolean {
  const provided = slot.providers?.[own.provider];
  const reason = provided?.reason ?? slot.reason ?? "";
  if (!OWN_CAN_HAVE.has(reason)) return false;
  const [ownFrom, ownTo] = spanOf(own, buffers);
  const [from, to] = spanOf(slot, buffers);
  if (to <= ownFrom || from >= ownTo) return false;
  const outside: Span[] = [
    [from, Math.min(to, ownFrom)],
    [Math.max(from, ownTo), to],
  ];
  return outside.every(
    ([start, end]) =>
      start >= end ||
      free.some((one) => {
        const [first, past] = spanOf(one, buffers);
        return first <= start && past >= end && isGivenBy(one, own.provider);
      }),
  );
}

function isGivenBy({ providers = {} }: TimeSlot, provider: string): boolean {
  const names = Object.keys(providers);
  return names.length === 0 || (providers[provider]?.available ?? 0) > 0;
}

/** With the time that its provider needs before and after. */
function spanOf({ from, to }: { from: string; to: string }, of: Buffers): Span {
  return [
    Date.parse(from) - of.buffer_before_minutes * MINUTE_MS,
    Date.parse(to) + of.buffer_after_minutes * MINUTE_MS,
  ];
}

export function isSameTime(one: string, other: string): boolean {
  return Date.parse(one) === Date.parse(other);
}

/** The times of a day by its parts, without parts that have none. */
export function byPart(times: readonly Time[], zone: string): { part: Part; times: Time[] }[] {
  const found = PARTS.map((part) => ({
    part,
    times: times.filter(({ from }) => partOf(from, zone) === part),
  }));
  return found.filter((one) => one.times.length > 0);
}

function partOf(at: string, zone: string): Part {
  const shown = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    hourCycle: "h23",
    timeZone: zone,
  });
  const hour = Number(shown.format(new Date(at)));
  if (hour < MORNING) return "night";
  return hour < NOON ? "morning" : hour < EVENING ? "afternoon" : "evening";
}

/** The date by the clock of the team. */
export function dayOf(at: string, { time_zone }: Pick<Team, "time_zone">): string {
  return dateIn(time_zone, new Date(at));
}
