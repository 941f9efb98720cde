// What a box office has of its own, of all that is sold: read of the API for the first steps.
import { Problem } from "~/api/client";
import { api } from "../session";
import { readSample } from "./SamplePanel";
import type { Standing, WayFound } from "./steps";
import { draftFirst, type Way, WAYS } from "./ways";

const SINCE_EVER = "2000-01-01";
const PAGE = 100;
// More than the sample has of each.
const FEW = 10;

export async function readStanding(): Promise<Omit<Standing, "session" | "merchant">> {
  const [sample, venues, halls, events, dates, ways, bookings] = await Promise.all([
    readSample(),
    api.GET("/v1/programme/venues", { query: { limit: FEW } }),
    api.GET("/v1/programme/halls", { query: { limit: FEW } }),
    api.GET("/v1/programme/productions", { query: { state: "all", limit: FEW } }),
    api.GET("/v1/programme/performances", { query: { from: SINCE_EVER, limit: PAGE } }),
    Promise.all(WAYS.map(foundOf)),
    bookedShows(),
  ]);
  // With a sample one only plays: nothing of it is a step of one's own.
  const played = new Set([...sample.halls, ...sample.productions, ...sample.performances]);
  const isOwn = ({ id }: { id: string }) => !played.has(id);
  const own = dates.items.filter(isOwn);
  return {
    venue: venues.items.find(({ id }) => id !== sample.venue)?.id ?? null,
    hasHall: halls.items.some(isOwn),
    event: events.items.find(isOwn)?.id ?? null,
    date: draftFirst(own)?.id ?? null,
    ways: ways.filter((way) => way !== null),
    isPublished: own.some(({ published }) => published),
    hasSale: bookings.some((show) => !played.has(show)),
  };
}

/** Null: there is no such business in this workspace. */
async function foundOf({ name, href, read }: Way): Promise<WayFound | null> {
  try {
    return { name, href, standing: await read() };
  } catch (error) {
    if (error instanceof Problem && error.code === "not_in_workspace") return null;
    throw error;
  }
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
