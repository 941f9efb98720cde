// The kinds of what is sold here, as the resources name them.
import { useQuery } from "@tanstack/react-query";
import type { HoldAdvice } from "../types";
import { read } from "../request";

/** The kinds that are there; none while they are being read. */
export function useKinds(): readonly string[] {
  const advice = useQuery({
    queryKey: ["advice"],
    queryFn: () => read<{ readonly items: readonly HoldAdvice[] }>("/v1/advice/hold-time"),
    staleTime: 60_000,
  });
  return advice.data?.items.map((item) => item.kind) ?? [];
}
