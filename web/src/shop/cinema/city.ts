// The visitor's city: from the address, or the last chosen one, or the nearest by time zone.
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { useLocation, useSearch } from "wouter";
import type { City } from "~/api/schema";
import { useCities } from "./catalog";
import { filtersOf, searchOf } from "./filters";

const KEPT_AS = "bespeak.city";
const watchers = new Set<() => void>();
let remembered: string | null = null;

function kept(): string {
  remembered ??= localStorage.getItem(KEPT_AS) ?? "";
  return remembered;
}

function remember(id: string): void {
  if (id === kept()) return;
  remembered = id;
  localStorage.setItem(KEPT_AS, id);
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
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

export function useCity() {
  const { data: cities, isError, error, refetch } = useCities();
  const search = useSearch();
  const [path, navigate] = useLocation();
  const chosenBefore = useSyncExternalStore(watch, kept);
  const inAddress = filtersOf(search).city;
  const byId = (id: string) => cities?.find((city) => city.id === id);
  const city =
    cities === undefined
      ? undefined
      : (byId(inAddress) ?? byId(chosenBefore) ?? nearestHere(cities));
  const isAsked = city !== undefined && city.id === inAddress;
  useEffect(() => {
    if (isAsked) remember(inAddress);
  }, [isAsked, inAddress]);
  const choose = useCallback(
    (id: string) => {
      remember(id);
      const filters = filtersOf(search);
      if (path === "/" || path.startsWith("/films/")) {
        // Another city has other languages and formats, so only day and search are kept.
        const next = searchOf({ city: id, date: filters.date, q: filters.q });
        navigate(`${path}?${next}`);
      } else navigate(`/?city=${id}`);
    },
    [search, path, navigate],
  );
  return { cities, city, choose, isError, error, refetch };
}
