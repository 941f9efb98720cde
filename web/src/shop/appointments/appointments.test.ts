import { expect, test } from "vitest";
import type { Team, TeamService, TimeSlot } from "~/api/schema";
import { Problem } from "~/api/client";
import { inWords, wordingOf } from "../wording";
import { bookedTime, lineOf, pricedProvider, quantityOf } from "./changing";
import { choiceOf, searchOf, serviceOf, teamHref, titleOf, withService } from "./choice";
import { appointmentHref } from "./onSale";
import { dayState, fortnightOf, nothingUntil, wantedDay } from "./openDays";
import { hasMore } from "./price";
import { otherTimes, timeRefusal } from "./refusal";
import { byPart, dayOf, freeTimes, isSameTime } from "./slots";
import { structuredTeam } from "./structured";
import { WHEN, whenWords } from "./when";

const service = (name: string, rest: Partial<TeamService> = {}): TeamService => ({
  name,
  title: name,
  minutes: 30,
  price: 0,
  step_minutes: 15,
  buffer_before_minutes: 0,
  buffer_after_minutes: 0,
  providers: ["rao", "kim"],
  ...rest,
});

const check = service("Check-up");
const talk = service("Talk", { providers: ["kim"], price: 4500, title: "A talk" });
const team: Team = {
  id: "res_1",
  name: "Practice",
  summary: "",
  description: "",
  address: "Green 1",
  city: "Bath",
  country: "GB",
  time_zone: "Europe/Berlin",
  currency: "EUR",
  price_from: 0,
  payment: "at_venue",
  providers: [
    { name: "rao", title: "Dr Rao" },
    { name: "kim", title: "Dr Kim", weekly: [{ days: ["fri"], from: "09:00", to: "12:00" }] },
  ],
  services: [check, talk],
  step_minutes: 15,
  notice_minutes: 0,
  horizon_days: 30,
  capacity: 1,
  pricing: null,
  owner_limit: null,
  hold_seconds: 600,
  hold_seconds_max: 1800,
  state: "open",
  published: true,
  weekly: [{ days: ["mon", "tue"], from: "09:00", to: "17:00" }],
  holidays: ["2026-12-08"],
  exceptions: [
    { date: "2026-12-07", hours: [{ from: "10:00", to: "12:00" }] },
    { date: "2026-12-07", closed: true },
    { from: "2026-12-12", to: "2026-12-13", hours: [{ from: "10:00", to: "12:00" }] },
  ],
};

const slot = (from: string, to: string, reason: TimeSlot["reason"] = null): TimeSlot => ({
  from: `2026-12-01T${from}:00+01:00`,
  to: `2026-12-01T${to}:00+01:00`,
  available: reason === null ? 1 : 0,
  price: 0,
  reason,
  providers: { rao: { available: reason === null ? 1 : 0, reason } },
});
const begins = (slots: readonly { from: string }[]) => slots.map(({ from }) => from.slice(11, 16));

test("a choice is read from an address, without what makes no sense there, and written back", () => {
  const whole = choiceOf("?service=Talk&provider=kim&date=2026-12-01", team);
  expect(whole).toEqual({ service: "Talk", provider: "kim", date: "2026-12-01", places: 1 });
  expect(teamHref("res_1", whole)).toBe(
    "/appointments/res_1?service=Talk&provider=kim&date=2026-12-01",
  );
  expect(choiceOf("?service=Talk&provider=rao&date=2026-13-01", team)).toEqual({
    service: "Talk",
    provider: "",
    date: "",
    places: 1,
  });
  expect(choiceOf("?service=Massage&provider=kim", team)).toMatchObject({
    service: "",
    provider: "",
  });
  expect(searchOf(choiceOf("", team))).toBe("");
  expect(teamHref("res_1", choiceOf("", team))).toBe("/appointments/res_1");
  // What is the only one needs no choice.
  expect(choiceOf("", { ...team, services: [talk] }).service).toBe("Talk");
  expect(serviceOf(team, "")).toBeUndefined();
});

test("of a class so many places are chosen as it has, and as one may have", () => {
  const places = (asked: string, capacity: number, owner_limit: number | null = null) =>
    choiceOf(`?places=${asked}`, { ...team, capacity, owner_limit }).places;
  expect(places("3", 12)).toBe(3);
  expect(places("30", 12)).toBe(12);
  expect(places("30", 12, 4)).toBe(4);
  expect(["0", "-2", "1e3", "two", "", "99999999"].map((asked) => places(asked, 12))).toEqual([
    1, 1, 1, 1, 1, 1,
  ]);
  expect(places("3", 1)).toBe(1);
  const three = choiceOf("?service=Talk&places=3", { ...team, capacity: 12 });
  expect(searchOf(three)).toBe("service=Talk&places=3");
  expect(withService(three, check)).toMatchObject({ service: "Check-up", places: 3 });
  // Who takes one at a time is asked for no number; a class is, also for one place.
  expect(quantityOf({ places: 1 }, team)).toBeNull();
  expect(quantityOf({ places: 1 }, { capacity: 12 })).toBe(1);
});

test("who does not give another service is chosen no longer", () => {
  const choice = { service: "Check-up", provider: "rao", date: "2026-12-01", places: 1 };
  expect(withService(choice, talk)).toEqual({ ...choice, service: "Talk", provider: "" });
  expect(withService({ ...choice, provider: "kim" }, talk).provider).toBe("kim");
  expect(titleOf(team.providers, "kim")).toBe("Dr Kim");
  expect(titleOf(team.providers, "gone")).toBe("gone");
});

test("a day without free times says why", () => {
  const state = (date: string, provider = "", free = 0, of = check) =>
    dayState({ date, free }, team, of, provider, "2026-11-29");
  expect(state("2026-12-01", "", 3)).toBe("free");
  expect(state("2026-12-01")).toBe("full"); // a Tuesday, of which the team has hours
  expect(state("2026-12-02")).toBe("closed");
  expect(state("2026-12-07")).toBe("closed"); // a Monday that an exception closes
  expect(state("2026-12-08")).toBe("closed"); // a holiday
  expect(state("2026-12-12")).toBe("full"); // a Saturday that an exception opens
  expect(state("2026-12-13")).toBe("closed"); // and no Sunday after it
  expect(state("2026-12-04", "kim")).toBe("full"); // by hours of their own
  expect(state("2026-12-04", "rao")).toBe("closed");
  expect(state("2026-12-01", "", 0, talk)).toBe("closed"); // given by who is not there
  expect(state("2026-12-29")).toBe("full");
  expect(state("2027-01-05")).toBe("too_far");
});

test("hours that run on after midnight belong to both days", () => {
  const bar: Team = {
    ...team,
    weekly: [{ days: ["fri"], from: "20:00", to: "02:00" }],
    exceptions: [],
    providers: [{ name: "rao", title: "Dr Rao" }],
  };
  const state = (date: string) => dayState({ date, free: 0 }, bar, check, "", "2026-11-29");
  expect(state("2026-12-04")).toBe("full");
  expect(state("2026-12-05")).toBe("full");
  expect(state("2026-12-06")).toBe("closed");
  const late = { ...bar, weekly: [{ days: ["fri" as const], from: "20:00", to: "00:00" }] };
  expect(dayState({ date: "2026-12-05", free: 0 }, late, check, "", "2026-11-29")).toBe("closed");
});

test("an address asks for a day that is sold, or for that of the own appointment", () => {
  expect(wantedDay("2026-12-29", team, "2026-11-29")).toBe("2026-12-29");
  expect(wantedDay("2026-12-30", team, "2026-11-29")).toBe("");
  expect(wantedDay("9999-12-31", team, "2026-11-29")).toBe("");
  expect(wantedDay("2026-11-28", team, "2026-11-29")).toBe("");
  expect(wantedDay("2027-02-01", team, "2026-11-29", "2027-02-01")).toBe("2027-02-01");
});

test("what was not looked at is not said to have nothing", () => {
  const until = (looked_until: string, state: Team["state"] = "open") =>
    nothingUntil({ looked_until }, { ...team, state }, "2026-11-29");
  expect(until("2026-12-20")).toBe("2026-12-20");
  expect(until("2026-12-30")).toBeNull(); // the day after the last that is sold
  expect(until("2026-12-20", "closed")).toBeNull();
});

test("a price says whether more comes on top of it", () => {
  const pricing = (of: Partial<NonNullable<Team["pricing"]>>) => ({ pricing: of });
  expect(hasMore(100, { pricing: null })).toBe(false);
  expect(hasMore(100, pricing({ taxes: [{ name: "VAT", basis_points: 700 }] }))).toBe(true);
  expect(hasMore(0, pricing({ taxes: [{ name: "VAT", basis_points: 700 }] }))).toBe(false);
  expect(
    hasMore(100, pricing({ taxes: [{ name: "VAT", basis_points: 700, included: true }] })),
  ).toBe(false);
  expect(hasMore(0, pricing({ fees: [{ name: "Service", amount: 100 }] }))).toBe(true);
});

test("an hour that the clocks show twice is told apart", () => {
  const words = ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"].map((at) =>
    whenWords(at, WHEN, team),
  );
  expect(new Set(words).size).toBe(2);
});

test("days are shown by fortnights from today on", () => {
  expect(fortnightOf("", "2026-11-29")).toBe("2026-11-29");
  expect(fortnightOf("2026-11-01", "2026-11-29")).toBe("2026-11-29");
  expect(fortnightOf("2026-12-12", "2026-11-29")).toBe("2026-11-29");
  expect(fortnightOf("2026-12-13", "2026-11-29")).toBe("2026-12-13");
});

test("times are put into parts of the day by the clock of the team", () => {
  const times = freeTimes([
    slot("00:30", "01:00"),
    slot("11:45", "12:15"),
    slot("12:00", "12:30"),
    slot("16:45", "17:15", "booked"),
    slot("17:00", "17:30"),
  ]);
  const parts = byPart(times, "Europe/Berlin");
  expect(parts.map(({ part, times: some }) => [part, ...begins(some)])).toEqual([
    ["night", "00:30"],
    ["morning", "11:45"],
    ["afternoon", "12:00"],
    ["evening", "17:00"],
  ]);
  expect(byPart(times, "Asia/Tokyo").map(({ part }) => part)).toEqual([
    "night",
    "morning",
    "evening",
  ]);
  expect(dayOf("2026-12-01T23:30:00Z", team)).toBe("2026-12-02");
});

test("whoever changes an appointment has its own time, and those that it alone is in the way of", () => {
  const own = { provider: "rao", from: "2026-12-01T09:00:00Z", to: "2026-12-01T09:30:00Z" };
  const slots = [
    slot("09:15", "09:45"),
    slot("09:30", "10:00"),
    slot("09:45", "10:15", "booked"), // its end is in the own time
    slot("10:00", "10:30", "booked"), // the own one
    slot("10:15", "10:45", "booked"), // runs on into somebody else's
    slot("10:30", "11:00", "booked"),
    slot("11:00", "11:30", "cutoff"),
  ];
  expect(begins(freeTimes(slots))).toEqual(["09:15", "09:30"]);
  expect(begins(freeTimes(slots, "rao", own))).toEqual(["09:15", "09:30", "09:45", "10:00"]);
  // Whoever else is asked for has no time of it.
  expect(begins(freeTimes(slots, "kim", own))).toEqual(["09:15", "09:30"]);
  // The quarter of an hour after it, which its provider needs, is another's already.
  const buffers = { buffer_before_minutes: 0, buffer_after_minutes: 15 };
  expect(begins(freeTimes(slots, "", own, buffers))).toContain("10:00");
  // Nobody has their own time of somebody who does not work then.
  const closed = slots.map((one) => ({
    ...one,
    providers: { rao: { available: 0, reason: "closed" as const } },
  }));
  expect(freeTimes(closed.slice(2), "", own)).toEqual([]);
  expect(isSameTime("2026-12-01T10:00:00+01:00", own.from)).toBe(true);
});

test("the own time, which somebody else has free as well, is there once", () => {
  const own = { provider: "rao", from: "2026-12-01T09:00:00Z", to: "2026-12-01T09:30:00Z" };
  const both: TimeSlot = {
    ...slot("10:00", "10:30"),
    providers: { rao: { available: 0, reason: "booked" }, kim: { available: 1 } },
  };
  expect(begins(freeTimes([both], "", own))).toEqual(["10:00"]);
  const places = freeTimes([slot("10:00", "10:30", "sold_out")], "rao", { ...own, quantity: 2 });
  expect(places.map(({ available }) => available)).toEqual([2]);
});

const booked = {
  resource_id: "res_1",
  unit: "rao",
  quantity: null,
  cancelled_quantity: 0,
  from: "2026-12-01T10:00:00+01:00",
  to: "2026-12-01T10:30:00+01:00",
  rate: "Check-up",
};

test("one appointment can be changed, several together or what is no appointment cannot", () => {
  expect(bookedTime({ lines: [booked] })).toMatchObject({ service: "Check-up", provider: "rao" });
  expect(bookedTime({ lines: [booked, booked] })).toBeNull();
  expect(bookedTime({ lines: [{ ...booked, cancelled_quantity: 1 }] })).toBeNull();
  const { rate: _, ...slotOnly } = booked;
  expect(bookedTime({ lines: [slotOnly] })).toBeNull();
  expect(lineOf("res_1", "Talk", "", booked.from)).toEqual({
    resource_id: "res_1",
    unit: null,
    quantity: null,
    from: booked.from,
    rate: "Talk",
  });
});

test("a refusal offers other times, each once, and names who gives it where somebody was asked for", () => {
  const offer = (from: string, unit: string) => [
    { resource_id: "res_1", from, unit, rate: "Talk" },
  ];
  const problem = new Problem(409, {
    code: "unit_taken",
    alternatives: [
      {
        instead_of: [0],
        offers: [
          offer("2026-12-01T10:30:00+01:00", "rao"),
          offer("2026-12-01T10:30:00+01:00", "kim"),
          offer("nonsense", "kim"),
        ],
      },
    ],
  });
  expect(timeRefusal(problem)).toBe("unit_taken");
  expect(otherTimes(problem, "")).toEqual([{ from: "2026-12-01T10:30:00+01:00", provider: "" }]);
  expect(otherTimes(problem, "rao").map(({ provider }) => provider)).toEqual(["rao", "kim"]);
  expect(timeRefusal(new Problem(503, { code: "overloaded" }))).toBeNull();
  expect(otherTimes(new TypeError("x"), "")).toEqual([]);
});

test("what is held at a service has the words of an appointment, and leads back to it", () => {
  expect(inWords(wordingOf([booked]))).toEqual({ context: "appointment" });
  expect(wordingOf([{ ...booked, rate: null }])).toBe("usual");
  expect(appointmentHref({ lines: [booked] })).toBe(
    "/appointments/res_1?service=Check-up&provider=rao&date=2026-12-01",
  );
  expect(appointmentHref({ lines: [] })).toBe("/appointments");
});

test("search engines read where a team is, and what its services cost", () => {
  const found = structuredTeam(team, "https://shop.example");
  expect(found["address"]).toMatchObject({ streetAddress: "Green 1", addressLocality: "Bath" });
  expect(found["makesOffer"]).toMatchObject([
    { price: "0.00", url: "https://shop.example/appointments/res_1?service=Check-up" },
    { price: "45.00", itemOffered: { name: "A talk" } },
  ]);
});

test("the price of a time that anyone may give is asked of somebody who gives it", () => {
  const rao = { provider: "rao" };
  expect(pricedProvider(check, { provider: "kim" }, rao)).toBe("kim");
  expect(pricedProvider(check, { provider: "" }, rao)).toBe("rao");
  expect(pricedProvider(talk, { provider: "" }, rao)).toBe("kim");
});
