// The session of the box office: whether this is a demo, and the verticals that take files.
import { useQuery } from "@tanstack/react-query";
import { api } from "./session";

/** No data if the box office is closed. */
export function useBoxOffice() {
  return useQuery({
    queryKey: ["box-office"],
    queryFn: () => api.POST("/v1/box-office/session"),
    staleTime: Infinity,
    retry: false,
  });
}
