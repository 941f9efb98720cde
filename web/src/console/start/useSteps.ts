// How a box office stands, read of the API.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Problem } from "~/api/client";
import { PROGRAMME } from "../programme/calls";
import { useMerchant } from "../useMerchant";
import { api, useOwnSession } from "../session";
import { readSample } from "./SamplePanel";
import { type Step, stepsOf } from "./steps";

const SINCE_EVER = "2000-01-01";
const PAGE = 100;
// More than the sample has of each.
const FEW = 10;

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
  const [sample, venues, halls, events, dates, teams, bookings] = await Promise.all([
    readSample(),
    api.GET("/v1/programme/venues", { query: { limit: FEW } }),
    api.GET("/v1/programme/halls", { query: { limit: FEW } }),
    api.GET("/v1/programme/productions", { query: { state: "all", limit: FEW } }),
    api.GET("/v1/programme/performances", { query: { from: SINCE_EVER, limit: PAGE } }),
    api.GET("/v1/appointments/teams", { query: { limit: FEW } }),
    bookedShows(),
  ]);
  // With a sample one only plays: nothing of it is a step of one's own.
  const played = new Set([...sample.halls, ...sample.productions, ...sample.performances]);
  const isOwn = ({ id }: { id: string }) => !played.has(id);
  const own = dates.items.filter(isOwn);
  const draft = own.find(({ published }) => !published) ?? own[0];
  return {
    venue: venues.items.find(({ id }) => id !== sample.venue)?.id ?? null,
    hasHall: halls.items.some(isOwn),
    event: events.items.find(isOwn)?.id ?? null,
    date: draft?.id ?? null,
    team: (teams.items.find(({ published }) => !published) ?? teams.items[0])?.id ?? null,
    isPublished: [...own, ...teams.items].some(({ published }) => published),
    hasSale: bookings.some((show) => !played.has(show)),
  };
}

/** Of which shows the latest bookings are. To whoever may not read bookings, nothing was sold yet. */
async function bookedShows(): Promise<string[]> {
  try {
    const bookings = await api.GET("/v1/bookings", { query: { limit: PAGE } });
    return bookings.items.map(({ resource }) => resource.id);
  } catch (error) {
    if (error instanceof Problem && error.status === 403) return [];
    throw error;
  }
}
