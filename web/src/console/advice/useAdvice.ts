// The advice on hold times, and the kinds of resources that it names.
import { useQuery } from "@tanstack/react-query";
import { api } from "../session";

export function useAdvice(staleTime = 5_000) {
  return useQuery({
    queryKey: ["advice"],
    queryFn: () => api.GET("/v1/advice/hold-time"),
    staleTime,
  });
}

export function useKinds(): readonly string[] {
  const advice = useAdvice(60_000);
  return advice.data?.items.map((item) => item.kind) ?? [];
}
