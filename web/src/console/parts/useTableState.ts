// A table's search, filters and order, kept in the address of the page.
import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { readTable, writeTable } from "./query";

/** The state of the page's table, and a function that changes parts of it. */
export function useTableState<T extends Record<string, string>>(
  defaults: T,
  allowed: Partial<Record<keyof T & string, readonly string[]>> = {},
): readonly [T, (change: Partial<T>) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const state = useMemo(() => readTable(search, defaults, allowed), [search, defaults, allowed]);
  const change = useCallback(
    (part: Partial<T>) => {
      // A word may rest for longer than its page is there: who has left is not fetched back.
      if (globalThis.location.pathname !== path) return;
      const query = writeTable({ ...state, ...part }, defaults);
      navigate(query === "" ? path : `${path}?${query}`, { replace: true });
    },
    [state, defaults, path, navigate],
  );
  return [state, change];
}
