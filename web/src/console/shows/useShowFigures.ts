// The figures of one show.
import { useQuery } from "@tanstack/react-query";
import type { Resource } from "~/api/schema";
import { api } from "../session";

export function useShowFigures(show: Resource, enabled: boolean) {
  return useQuery({
    queryKey: ["show", show.id, "figures"],
    queryFn: () => api.GET("/v1/overview/resources", { query: { q: show.id, limit: 10 } }),
    select: ({ items }) => items.find((row) => row.id === show.id),
    enabled,
  });
}
