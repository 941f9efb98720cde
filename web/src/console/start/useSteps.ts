// How a box office stands, read of the API.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { PROGRAMME } from "../programme/calls";
import { useMerchant } from "../useMerchant";
import { useOwnSession } from "../session";
import { readStanding } from "./standing";
import { type Step, stepsOf } from "./steps";

/** The steps; undefined until they are known. */
export function useSteps(): Step[] | undefined {
  const session = useOwnSession();
  const { data: merchant } = useMerchant();
  const { data: found } = useQuery({
    queryKey: [...PROGRAMME, "standing"],
    queryFn: readStanding,
    // What was just made elsewhere in the console is a step that is done.
    staleTime: 0,
  });
  return useMemo(() => {
    if (session === null || merchant === undefined || found === undefined) return undefined;
    return stepsOf({ session, merchant, ...found });
  }, [session, merchant, found]);
}
