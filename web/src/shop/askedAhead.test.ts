import { expect, test } from "vitest";
import type { Api } from "~/api/client";
import { askAhead, takingAhead } from "./askedAhead";

const PATH = "/v1/cinema/films/{film_id}" as const;
const OF = { path: { film_id: "flm_1" } };

/** Calls that count, and fail while they are told to. */
function counting(fails = 0) {
  const asked: unknown[] = [];
  const GET = async (...of: unknown[]) => {
    asked.push(of);
    if (asked.length <= fails) throw new Error("away");
    return asked.length;
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one call of it is made here
  return { asked, api: { GET } as unknown as Api };
}

test("what was asked for ahead is taken once", async () => {
  const { asked, api } = counting();
  askAhead(api, [[PATH, OF]]);
  const taking = takingAhead(api);
  expect(await taking.GET(PATH, OF)).toBe(1);
  expect(await taking.GET(PATH, OF)).toBe(2);
  expect(asked).toHaveLength(2);
});

test("another call does not take it", async () => {
  const { api } = counting();
  askAhead(api, [[PATH, OF]]);
  const taking = takingAhead(api);
  expect(await taking.GET(PATH, { path: { film_id: "flm_2" } })).toBe(2);
  expect(await taking.GET(PATH, OF)).toBe(1);
});

test("the order of what is asked says nothing", async () => {
  const { api } = counting();
  const path = "/v1/programme/performances" as const;
  askAhead(api, [[path, { query: { production: "prd_1", limit: 100 } }]]);
  const query = { limit: 100, production: "prd_1" };
  expect(await takingAhead(api).GET(path, { query })).toBe(1);
});

test("what failed ahead is asked for again", async () => {
  const { asked, api } = counting(1);
  askAhead(api, [[PATH, OF]]);
  expect(await takingAhead(api).GET(PATH, OF)).toBe(2);
  expect(asked).toHaveLength(2);
});

test("an answer leads to what is asked for next, at a time of the server", async () => {
  const { asked, api } = counting();
  const times: number[] = [];
  const next = (count: number, now: Date): [typeof PATH, typeof OF][] => {
    times.push(now.getTime() - Date.now());
    return count === 1 ? [[PATH, OF]] : [];
  };
  askAhead(api, [["/v1/cinema/cities", {}, next]], 3_600_000);
  const taking = takingAhead(api);
  expect(await taking.GET("/v1/cinema/cities", {})).toBe(1);
  expect(await taking.GET(PATH, OF)).toBe(2);
  expect(asked).toHaveLength(2);
  expect(Math.round((times[0] ?? 0) / 60_000)).toBe(60);
});

test("what fails leads to nothing", async () => {
  const { asked, api } = counting(1);
  askAhead(api, [["/v1/cinema/cities", {}, () => [[PATH, OF]]]]);
  expect(await takingAhead(api).GET("/v1/cinema/cities", {})).toBe(2);
  expect(asked).toHaveLength(2);
});
