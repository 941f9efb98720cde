// The names of resources, each asked once. What cannot be read is called by its id.
import { useQueries } from "@tanstack/react-query";
import { api } from "../session";

export function useNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const found = useQueries({
    queries: ids.map((id) => ({
      queryKey: ["resource", id],
      queryFn: () => api.GET("/v1/resources/{resource_id}", { path: { resource_id: id } }),
    })),
  });
  return new Map(ids.map((id, at) => [id, found[at]?.data?.name ?? id]));
}
