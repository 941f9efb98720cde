// The visitor's city: from the address, or the last chosen one, or the nearest by time zone.
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
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
  const far = (city: City) =>
    city.time_zone === zone ? -1 : Math.abs((safeOffset(city.time_zone, at) ?? 9999) - own);
  return [...cities].sort(
    (one, other) =>
      Number(one.shows === 0) - Number(other.shows === 0) ||
      far(one) - far(other) ||
      other.shows - one.shows,
  )[0];
}

function safeOffset(zone: string, at: Date): number | null {
  try {
    return offsetMinutes(zone, at);
  } catch {
    return null; // a zone that this browser does not know
  }
}

function ownClock(): { zone: string; at: Date } {
  return { zone: new Intl.DateTimeFormat().resolvedOptions().timeZone, at: new Date() };
}

export function useCity() {
  const { data: cities, isError, error, refetch } = useCities();
  const search = useSearch();
  const [path, navigate] = useLocation();
  const chosenBefore = useSyncExternalStore(watch, kept);
  const inAddress = filtersOf(search).city;
  const byId = (id: string) => cities?.find((city) => city.id === id);
  const [here] = useState(ownClock);
  const city =
    cities === undefined
      ? undefined
      : (byId(inAddress) ?? byId(chosenBefore) ?? nearestCity(cities, here.zone, here.at));
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
