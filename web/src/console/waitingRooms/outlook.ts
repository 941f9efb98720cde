// How a waiting room goes, by what was seen of it since its page is open.
import type { Moment } from "./useRoom";

const WINDOW_SECONDS = 60;
/** Less says nothing yet. */
const SEEN_SECONDS_MIN = 10;
const OUTLOOK_SECONDS = 300;
const MINUTES_MAX = 600;

/** How many joined a minute over the last minute; null as long as too little was seen. */
export function arrivalsAMinute(moments: readonly Moment[]): number | null {
  const found = ends(moments, WINDOW_SECONDS);
  if (found === null) return null;
  const [first, last] = found;
  return Math.max(0, Math.round(((last.joined - first.joined) * 60) / (last.at - first.at)));
}

/** In how many minutes nothing is left, if it goes on as in the last minutes; null where it does not
 * get less, nobody knows, or it is too far away to say. */
export function minutesToSoldOut(moments: readonly Moment[]): number | null {
  const found = ends(moments, OUTLOOK_SECONDS);
  if (found === null) return null;
  const [first, last] = found;
  if (first.left === null || last.left === null || last.left === 0) return null;
  const aSecond = (first.left - last.left) / (last.at - first.at);
  if (aSecond <= 0) return null;
  const minutes = Math.ceil(last.left / aSecond / 60);
  return minutes > MINUTES_MAX ? null : minutes;
}

/** The last moment, and the first one that is at most so long before it. */
function ends(moments: readonly Moment[], seconds: number): readonly [Moment, Moment] | null {
  const last = moments.at(-1);
  if (last === undefined) return null;
  const first = moments.find(({ at }) => at >= last.at - seconds);
  if (first === undefined || last.at - first.at < SEEN_SECONDS_MIN) return null;
  return [first, last];
}
