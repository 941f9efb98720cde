// Which city a visitor is shown who named none in the address: the last chosen one, or the nearest by time zone.
import type { City } from "~/api/schema";

/** The name under which this browser keeps the id of the last chosen one. */
export const KEPT_AS = "bespeak.city";

export function cityHere(cities: readonly City[], keptId: string): City | undefined {
  return cities.find(({ id }) => id === keptId) ?? nearestHere(cities);
}

/** The offset of a zone from UTC, in minutes. */
export function offsetMinutes(zone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    timeZoneName: "longOffset",
  }).formatToParts(at);
  const name = parts.find((part) => part.type === "timeZoneName")?.value ?? "";
  const found = /([+-])(\d{2}):(\d{2})/.exec(name);
  if (found === null) return 0;
  const minutes = Number(found[2]) * 60 + Number(found[3]);
  return found[1] === "-" ? -minutes : minutes;
}

/** The nearest city by time zone: the same zone, or the closest offset; of equals the one with the
 * most shows. */
export function nearestCity(cities: readonly City[], zone: string, at: Date): City | undefined {
  const own = safeOffset(zone, at) ?? 0;
  // Once for each city, because to ask for the offset of a zone is slow.
  const measured = cities.map((city) => ({
    city,
    far: city.time_zone === zone ? -1 : Math.abs((safeOffset(city.time_zone, at) ?? 9999) - own),
  }));
  measured.sort(
    (one, other) =>
      Number(one.city.shows === 0) - Number(other.city.shows === 0) ||
      one.far - other.far ||
      other.city.shows - one.city.shows,
  );
  return measured[0]?.city;
}

function safeOffset(zone: string, at: Date): number | null {
  try {
    return offsetMinutes(zone, at);
  } catch {
    return null; // a zone that this browser does not know
  }
}

const nearest = new WeakMap<readonly City[], City>();

/** The nearest city to this device, found once for each answer: several parts of a page ask at each
 * render. */
function nearestHere(cities: readonly City[]): City | undefined {
  const known = nearest.get(cities);
  if (known !== undefined) return known;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const found = nearestCity(cities, timeZone, new Date());
  if (found !== undefined) nearest.set(cities, found);
  return found;
}
