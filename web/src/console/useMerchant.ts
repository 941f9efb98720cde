// The merchant's profile: what new things begin with, and the languages of the shop.
import { useQuery } from "@tanstack/react-query";
import { api } from "./session";

export function useMerchant() {
  return useQuery({
    queryKey: ["merchant", "read"],
    queryFn: () => api.GET("/v1/merchant"),
  });
}
