// Resources by their ids, each asked once for all parts of a page.
import { queryOptions, useQueries } from "@tanstack/react-query";
import { api } from "./session";

export const resourceQuery = (id: string) =>
  queryOptions({
    queryKey: ["resource", id],
    queryFn: () => api.GET("/v1/resources/{resource_id}", { path: { resource_id: id } }),
  });

/** The names of resources. What cannot be read is called by its id. */
export function useResourceNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const found = useQueries({ queries: ids.map(resourceQuery) });
  return new Map(ids.map((id, at) => [id, found[at]?.data?.name ?? id]));
}
