// The waitlist that something is of, while it takes more; most things have none.
import { useQuery } from "@tanstack/react-query";
import type { PublicWaitlist } from "~/api/schema";
import { useShop } from "../session";

export function useWaitlist(resourceId: string): PublicWaitlist | undefined {
  const { api } = useShop();
  const found = useQuery({
    queryKey: ["waitlists", resourceId],
    queryFn: () =>
      api.GET("/v1/resources/{resource_id}/waitlists", { path: { resource_id: resourceId } }),
  });
  const [list] = found.data?.items ?? [];
  return list?.state === "open" ? list : undefined;
}
