import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApi } from "~/api/client";
import type { StayPlace } from "~/api/schema";
import { townsQuery } from "./catalog";

const MINUTE_MS = 60_000;
const WEDEL: StayPlace = {
  name: "Wedel",
  country: "DE",
  lat: 53.58,
  lon: 9.7,
  listings: 1,
  source: "listings",
  radius: null,
};

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A page that looks for towns, and a server that lets in these. */
function looking() {
  const there: StayPlace[] = [];
  const fetch = vi.fn(() => Promise.resolve(Response.json({ items: there })));
  vi.stubGlobal("fetch", fetch);
  const [queries, api] = [new QueryClient(), createApi(() => ({}))];
  const look = () => queries.fetchQuery(townsQuery(api, "wedel", 8));
  return { there, fetch, look };
}

test("a town that gets its first listing is found when one looks again", async () => {
  const { there, fetch, look } = looking();
  expect(await look()).toEqual([]);
  there.push(WEDEL);
  expect(await look()).toEqual([]); // at once nothing is asked again
  expect(fetch).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(MINUTE_MS / 6);
  expect(await look()).toEqual([WEDEL]);
});

test("towns that are found are remembered for minutes", async () => {
  const { there, fetch, look } = looking();
  there.push(WEDEL);
  await look();
  vi.advanceTimersByTime(4 * MINUTE_MS);
  expect(await look()).toEqual([WEDEL]);
  expect(fetch).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(2 * MINUTE_MS);
  await look();
  expect(fetch).toHaveBeenCalledTimes(2);
});
