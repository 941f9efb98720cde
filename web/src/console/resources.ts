// Resources by their ids, each asked once for all parts of a page.
import {
  type QueryKey,
  queryOptions,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "./session";

export const resourceQuery = (id: string) =>
  queryOptions({
    queryKey: ["resource", id],
    queryFn: () => api.GET("/v1/resources/{resource_id}", { path: { resource_id: id } }),
  });

/** The resource of something that a vertical keeps, read under `stale`: what is published, hidden, opened
 * or closed by parts that know only the resource is read anew there, too. */
export function useResourceOf(id: string, stale: QueryKey) {
  const queries = useQueryClient();
  const { data } = useQuery(resourceQuery(id));
  const version = data?.version;
  const seen = useRef(version);
  useEffect(() => {
    // The first one that is seen changed nothing: the page has just read what it shows.
    if (seen.current !== undefined && seen.current !== version)
      void queries.invalidateQueries({ queryKey: stale });
    seen.current = version;
  }, [version, stale, queries]);
  return data;
}

/** The names of resources. What cannot be read is called by its id. */
export function useResourceNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const found = useQueries({ queries: ids.map(resourceQuery) });
  return new Map(ids.map((id, at) => [id, found[at]?.data?.name ?? id]));
}
