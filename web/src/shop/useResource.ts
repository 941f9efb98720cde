// The resource that a page is about.
import { useQuery } from "@tanstack/react-query";
import { useShop } from "./session";

/** Reads a resource, and again after so many milliseconds where that is given. */
export function useResource(id: string, pollMs: number | false = false) {
  const { ask } = useShop();
  return useQuery({
    queryKey: ["resource", id],
    refetchInterval: pollMs,
    queryFn: () =>
      ask((api) =>
        api.GET("/v1/resources/{resource_id}", { params: { path: { resource_id: id } } }),
      ),
  });
}
