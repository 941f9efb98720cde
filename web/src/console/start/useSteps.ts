// How a box office stands, read of the API.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Problem } from "~/api/client";
import { PROGRAMME } from "../programme/calls";
import { useMerchant } from "../useMerchant";
import { api, useOwnSession } from "../session";
import { type Step, stepsOf } from "./steps";

const SINCE_EVER = "2000-01-01";
const PAGE = 100;

/** The steps; undefined until they are known. */
export function useSteps(): Step[] | undefined {
  const session = useOwnSession();
  const { data: merchant } = useMerchant();
  const { data: found } = useQuery({
    queryKey: [...PROGRAMME, "standing"],
    queryFn: readStanding,
  });
  return useMemo(() => {
    if (session === null || merchant === undefined || found === undefined) return undefined;
    return stepsOf({ session, merchant, ...found });
  }, [session, merchant, found]);
}

async function readStanding() {
  const [venues, halls, events, dates, hasSale] = await Promise.all([
    api.GET("/v1/programme/venues", { query: { limit: 1 } }),
    api.GET("/v1/programme/halls", { query: { limit: 1 } }),
    api.GET("/v1/programme/productions", { query: { state: "all", limit: 1 } }),
    api.GET("/v1/programme/performances", { query: { from: SINCE_EVER, limit: PAGE } }),
    hasBooking(),
  ]);
  const draft = dates.items.find(({ published }) => !published) ?? dates.items[0];
  return {
    venue: venues.items[0]?.id ?? null,
    hasHall: halls.items.length > 0,
    event: events.items[0]?.id ?? null,
    date: draft?.id ?? null,
    isPublished: dates.items.some(({ published }) => published),
    hasSale,
  };
}

/** To whoever may not read bookings, nothing was sold yet. */
async function hasBooking(): Promise<boolean> {
  try {
    return (await api.GET("/v1/bookings", { query: { limit: 1 } })).items.length > 0;
  } catch (error) {
    if (error instanceof Problem && error.status === 403) return false;
    throw error;
  }
}
