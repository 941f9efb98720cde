// What this installation has: whether it is for trying, and which verticals. The box office tells it
// to its own pages.
import { useQuery } from "@tanstack/react-query";
import { answered } from "~/api/client";
import { api } from "./session";

/** The box office's session; no data where the box office is closed. */
export function useBoxOffice() {
  return useQuery({
    queryKey: ["box-office"],
    queryFn: () => answered(api.POST("/v1/box-office/session", {})),
    staleTime: Infinity,
    retry: false,
  });
}
