// The fields that the resources of some lines ask for.
import { useQueries } from "@tanstack/react-query";
import type { Resource } from "~/api/schema";
import { useShop } from "../session";
import { type AskedField, askedFields } from "~/questions/asked";

type Lines = Parameters<typeof askedFields>[0];

export type Asked = {
  fields: AskedField[];
  resources: Resource[];
};

export function useAsked(lines: Lines): Asked {
  const { api } = useShop();
  const ids = [...new Set(lines.map(({ resource_id: id }) => id))];
  const found = useQueries({
    queries: ids.map((id) => ({
      queryKey: ["resource", id],
      queryFn: () => api.GET("/v1/resources/{resource_id}", { path: { resource_id: id } }),
    })),
  });
  const resources = found.flatMap(({ data }) => data ?? []);
  return { fields: askedFields(lines, resources), resources };
}
