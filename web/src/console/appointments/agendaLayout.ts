// Where the appointments of a day stand: in the column of their provider, as far down as they begin,
// and beside those that overlap (the guests of a class).
import type { Appointment } from "~/api/schema";

export type Placed = {
  readonly item: Appointment;
  /** Minutes from the beginning of what is shown. */
  readonly top: number;
  readonly minutes: number;
  readonly lane: number;
  readonly lanes: number;
};
export type Column = {
  readonly provider: string;
  readonly placed: readonly Placed[];
  /** How many stand side by side where most do. */
  readonly lanes: number;
};
export type AgendaLayout = {
  /** The instants of the whole hours that are shown, the last one at the end. */
  readonly hours: readonly Date[];
  /** How long what is shown is. */
  readonly minutes: number;
  /** The shortest of the appointments. */
  readonly shortest: number;
  readonly columns: readonly Column[];
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SHOWN_MIN_HOURS = 3;

/** `providers` have a column each, also those with nothing to do. */
export function layoutOf(
  providers: readonly string[],
  items: readonly Appointment[],
): AgendaLayout {
  if (items.length === 0) {
    const columns = providers.map((provider) => ({ provider, placed: [], lanes: 1 }));
    return { hours: [], minutes: 0, shortest: 0, columns };
  }
  const first = Math.min(...items.map(({ from }) => hourOf(from)));
  const end = Math.max(...items.map(({ to }) => Date.parse(to)));
  const count = Math.max(Math.ceil((end - first) / HOUR_MS), SHOWN_MIN_HOURS);
  const named = [...new Set([...providers, ...items.map(({ provider }) => provider)])];
  return {
    hours: Array.from({ length: count + 1 }, (_, at) => new Date(first + at * HOUR_MS)),
    minutes: count * 60,
    shortest: Math.min(...items.map(lasting)),
    columns: named.map((provider) => {
      const own = placed(
        items.filter((one) => one.provider === provider),
        first,
      );
      return { provider, placed: own, lanes: Math.max(1, ...own.map(({ lanes }) => lanes)) };
    }),
  };
}

/** When the hour of a time begins by its own clock: not all zones are whole hours apart. */
function hourOf(time: string): number {
  const past = (Number(time.slice(14, 16)) * 60 + Number(time.slice(17, 19))) * 1000;
  return Date.parse(time) - past;
}

const lasting = ({ from, to }: Appointment) => (Date.parse(to) - Date.parse(from)) / MINUTE_MS;

/** Those of one provider, in order of time; what overlaps shares the width. */
function placed(items: readonly Appointment[], first: number): Placed[] {
  const ordered = items.toSorted((one, other) => Date.parse(one.from) - Date.parse(other.from));
  const groups: { items: Appointment[]; end: number }[] = [];
  for (const item of ordered) {
    const group = groups.at(-1);
    if (group === undefined || Date.parse(item.from) >= group.end)
      groups.push({ items: [item], end: Date.parse(item.to) });
    else {
      group.items.push(item);
      group.end = Math.max(group.end, Date.parse(item.to));
    }
  }
  return groups.flatMap((group) => {
    const ends: number[] = [];
    const lanes = group.items.map((item) => {
      const free = ends.findIndex((end) => end <= Date.parse(item.from));
      const lane = free === -1 ? ends.length : free;
      ends[lane] = Date.parse(item.to);
      return lane;
    });
    return group.items.map((item, at) => ({
      item,
      top: (Date.parse(item.from) - first) / MINUTE_MS,
      minutes: lasting(item),
      lane: lanes[at] ?? 0,
      lanes: ends.length,
    }));
  });
}
