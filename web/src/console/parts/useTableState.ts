// A table's search, filters and order, kept in the page's address.
import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { readTable, writeTable } from "./query";

export function useTableState<T extends Record<string, string>>(
  defaults: T,
  allowed: Partial<Record<keyof T & string, readonly string[]>> = {},
): readonly [T, (change: Partial<T>) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const state = useMemo(() => readTable(search, defaults, allowed), [search, defaults, allowed]);
  const change = useCallback(
    (part: Partial<T>) => {
      // A debounced change may come after the page was left; it must not navigate back.
      if (globalThis.location.pathname !== path) return;
      const query = writeTable({ ...state, ...part }, defaults);
      navigate(query === "" ? path : `${path}?${query}`, { replace: true });
    },
    [state, defaults, path, navigate],
  );
  return [state, change];
}
