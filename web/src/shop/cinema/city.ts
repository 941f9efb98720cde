// The visitor's city, as state: from the address, or the last chosen one, or the nearest by time zone.
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { useLocation, useSearch } from "wouter";
import { useCities } from "./catalog";
import { filtersOf, searchOf } from "./filters";
import { cityHere, KEPT_AS } from "./nearest";

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

export function useCity() {
  const { data: cities, isError, error, refetch } = useCities();
  const search = useSearch();
  const [path, navigate] = useLocation();
  const chosenBefore = useSyncExternalStore(watch, kept);
  const inAddress = filtersOf(search).city;
  const byId = (id: string) => cities?.find((city) => city.id === id);
  const city =
    cities === undefined ? undefined : (byId(inAddress) ?? cityHere(cities, chosenBefore));
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
