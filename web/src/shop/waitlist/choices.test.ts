import { expect, test } from "vitest";
import type { Plan } from "~/api/schema";
import { askedOf, choicesOf, isSeated, partyMax, ratesOf, sellsAlike } from "./choices";

const price = { amount: 1000, currency: "EUR" };
const of = (plan: Plan, owner_limit: number | null = null) => ({ plan, price, owner_limit });
const names = (plan: Plan) => choicesOf(of(plan)).map(({ name }) => name);

const FESTIVAL: Plan = {
  type: "pools",
  pools: [
    { unit: "site", capacity: 6 },
    { unit: "camp", capacity: 2 },
  ],
  products: [
    { name: "day", draws: [{ pool: "site" }] },
    { name: "pair", draws: [{ pool: "site", each: 2 }], max_per_line: 2 },
    { name: "tent", draws: [{ pool: "site" }, { pool: "camp" }] },
    { name: "crew", draws: [{ pool: "site" }], needs_code: true },
  ],
};
const HALL: Plan = {
  type: "seats",
  sections: [{ name: "Stalls", rows: [{ name: "A", seats: 4 }] }],
  pools: [{ unit: "floor", capacity: 3 }],
};
const CLASS: Plan = { type: "times", slot_minutes: 60, capacity: 6 };
const DOCTORS: Plan = {
  type: "times",
  slot_minutes: 15,
  providers: [{ name: "dr-rao" }, { name: "dr-iyer" }],
};
const RUN: Plan = {
  type: "legs",
  stops: [{ code: "A" }, { code: "B" }],
  sections: [
    { name: "1", category: "First", rows: [{ name: "A", seats: 2 }] },
    { name: "2", rows: [{ name: "B", seats: 2, category: "Quiet" }] },
    { name: "3", rows: [{ name: "C", seats: 2 }] },
  ],
  pools: [{ unit: "Standing", capacity: 9 }],
};

test("each plan has its form, and one that is not known has none", () => {
  expect([FESTIVAL, HALL, CLASS, RUN].map((plan) => askedOf({ plan }))).toEqual([
    "places",
    "places",
    "times",
    "legs",
  ]);
  expect(askedOf({ plan: { type: "nights", count: 2 } })).toBe("nights");
  expect(askedOf({ plan: { type: "moments", raster_minutes: 15 } })).toBe("times");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as another package might add it
  const other = { type: "toString" } as unknown as Plan;
  expect(askedOf({ plan: other })).toBeNull();
});

test("a service is waited for with those who give it", () => {
  const rates = [
    { name: "Check-up", minutes: 15 },
    { name: "Talk", minutes: 30, providers: ["dr-iyer"] },
  ];
  const team: Plan = { ...DOCTORS, rates };
  expect(ratesOf({ plan: team })).toEqual(["Check-up", "Talk"]);
  expect(ratesOf({ plan: DOCTORS })).toEqual([]);
  expect(ratesOf({ plan: HALL })).toEqual([]);
  const givers = (rate: string) => choicesOf(of(team), rate).map(({ name }) => name);
  expect(givers("Check-up")).toEqual(["dr-rao", "dr-iyer"]);
  expect(givers("Talk")).toEqual(["dr-iyer"]);
  expect(partyMax(of(team), "", 10, "Check-up")).toBe(2);
  expect(partyMax(of(team), "", 10, "Talk")).toBe(1);
});

test("what only a code sells is not asked about, nor a pool where products are sold", () => {
  expect(names(FESTIVAL)).toEqual(["day", "pair", "tent"]);
  expect(names({ ...FESTIVAL, sell_pools: true })).toContain("camp");
  expect(names({ type: "pools", pools: FESTIVAL.pools })).toEqual(["site", "camp"]);
  expect(names({ type: "tickets", count: 60 })).toEqual([]);
  expect(names(HALL)).toEqual(["standard", "floor"]);
  expect(names(DOCTORS)).toEqual(["dr-rao", "dr-iyer"]);
  expect(names(RUN)).toEqual(["First", "Quiet", "standard", "Standing"]);
});

test.each<[Plan, string, number]>([
  [FESTIVAL, "", 6],
  [FESTIVAL, "pair", 2],
  [FESTIVAL, "tent", 2],
  [HALL, "", 10],
  [HALL, "floor", 3],
  [CLASS, "", 6],
  [DOCTORS, "", 2],
  [DOCTORS, "dr-rao", 1],
  [{ type: "times", slot_minutes: 15 }, "", 1],
  [{ type: "moments", raster_minutes: 15, things: ["Van", "Mini", "Bus"] }, "", 3],
  [{ type: "nights", rooms: ["101", "102"] }, "", 2],
  [{ type: "nights", count: 40 }, "", 10],
  [{ type: "tickets", count: 4 }, "", 4],
])("of %j with %j a party is %i at most", (plan, chosen, most) => {
  expect(partyMax(of(plan), chosen, 10)).toBe(most);
});

test("nobody waits for more than one may have", () => {
  expect(partyMax(of(HALL, 4), "", 10)).toBe(4);
  // Somebody waits for one, even where there is none at present.
  expect(partyMax(of({ type: "pools", pools: [{ unit: "a", capacity: 0 }] }), "a", 10)).toBe(1);
});

test("how one sits is asked of numbered seats alone", () => {
  expect(isSeated(of(HALL), "")).toBe(true);
  expect(isSeated(of(HALL), "floor")).toBe(false);
  expect(isSeated(of({ type: "seats", pools: HALL.pools ?? [] }), "")).toBe(false);
  expect(isSeated(of(RUN), "First")).toBe(true);
  expect(isSeated(of(FESTIVAL), "")).toBe(false);
});

test("another resource does with a range of this one, if it sells alike", () => {
  const own = { ...of(CLASS), time_zone: "Europe/Berlin" };
  expect(sellsAlike({ ...of(DOCTORS), time_zone: "Europe/Berlin" }, own)).toBe(true);
  expect(sellsAlike({ ...own, time_zone: "UTC" }, own)).toBe(false);
  expect(sellsAlike({ ...own, price: { amount: 1, currency: "USD" } }, own)).toBe(false);
  expect(sellsAlike({ ...own, plan: HALL }, own)).toBe(false);
});
