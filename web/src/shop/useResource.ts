import { useQuery } from "@tanstack/react-query";
import { useShop } from "./session";

/** With `pollMs`, refetched at this interval. */
export function useResource(id: string, pollMs: number | false = false) {
  const { api } = useShop();
  return useQuery({
    queryKey: ["resource", id],
    refetchInterval: pollMs,
    queryFn: () => api.GET("/v1/resources/{resource_id}", { path: { resource_id: id } }),
  });
}
