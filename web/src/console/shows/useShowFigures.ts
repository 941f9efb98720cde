// The figures of one show.
import { useQuery } from "@tanstack/react-query";
import type { Resource } from "~/api/schema";
import type { Listed, ShowRow } from "../types";
import { read } from "../request";

export function useShowFigures(show: Resource, enabled: boolean) {
  return useQuery({
    queryKey: ["show", show.id, "figures"],
    queryFn: () => read<Listed<ShowRow>>("/v1/overview/resources", { q: show.id, limit: 10 }),
    select: ({ items }) => items.find((row) => row.id === show.id),
    enabled,
  });
}
