import { expect, test } from "vitest";
import type { CalendarNight, Listing } from "~/api/schema";
import { inWords, wordingOf } from "../wording";
import { inTime, lengthOf, monthsFrom, windowOf } from "./anyStay";
import {
  isSomewhere,
  listingHref,
  nearHref,
  NO_WISHES,
  roomsMax,
  roomsNeeded,
  searchOf,
  wishesNearly,
  wishesOf,
} from "./filters";
import { stayHref } from "./onSale";
import {
  calendarOf,
  canStay,
  dayUse,
  freeRange,
  isTaken,
  nightsOf,
  NO_RANGE,
  withDay,
} from "./range";
import { otherRanges, stayRefusal } from "./refusal";
import { nightRuns, refundShares } from "./stayPrice";
import { picturesOf, structuredListing } from "./structured";

const night = (date: string, rest: Partial<CalendarNight> = {}): CalendarNight => ({
  date,
  free: 1,
  price: 9000,
  arrive: true,
  min_nights: 1,
  max_nights: 5,
  ...rest,
});

test("a stay has the nights from its arrival until before its departure", () => {
  expect(nightsOf({ start: "2026-12-24", end: "2026-12-27" })).toBe(3);
  expect(nightsOf({ start: "2026-03-28", end: "2026-03-30" })).toBe(2); // clocks change between
  expect(nightsOf({ start: "2026-12-24", end: "" })).toBe(0);
  expect(nightsOf({ start: "2026-12-27", end: "2026-12-24" })).toBe(0);
});

test("how long one can stay is what the server says", () => {
  expect(canStay(night("2026-12-24", { min_nights: 2, max_nights: 3 }), 1)).toBe(false);
  expect(canStay(night("2026-12-24", { min_nights: 2, max_nights: 3 }), 3)).toBe(true);
  const gap = night("2026-12-24", {
    lengths: [
      [1, 2],
      [5, 5],
    ],
  });
  expect([1, 2, 3, 4, 5, 6].filter((count) => canStay(gap, count))).toEqual([1, 2, 5]);
  expect(canStay(night("2026-12-24", { arrive: false }), 1)).toBe(false);
  expect(canStay(undefined, 1)).toBe(false);
});

test("a day is chosen for arriving, then another for leaving, which may have no free night", () => {
  const calendar = calendarOf([
    night("2026-12-24", { min_nights: 2, max_nights: 3 }),
    night("2026-12-25"),
    night("2026-12-26", { arrive: false, free: 0 }),
    night("2026-12-27", { arrive: false, free: 0 }),
  ]);
  const arrived = withDay("2026-12-24", calendar, NO_RANGE);
  expect(arrived).toEqual({ start: "2026-12-24", end: "" });
  expect(dayUse("2026-12-25", calendar, arrived)).toBe("none"); // one night is too short
  expect(dayUse("2026-12-26", calendar, arrived)).toBe("departure");
  expect(dayUse("2026-12-28", calendar, arrived)).toBe("none"); // too long
  expect(withDay("2026-12-27", calendar, arrived)).toEqual({
    start: "2026-12-24",
    end: "2026-12-27",
  });
  // A day on which one cannot leave begins anew, where one can arrive.
  expect(withDay("2026-12-25", calendar, arrived)).toEqual({ start: "2026-12-25", end: "" });
  expect(withDay("2026-12-28", calendar, arrived)).toEqual(arrived);
});

test("in the search every day from today on will do", () => {
  const today = "2026-12-01";
  expect(freeRange("2026-11-30", today, NO_RANGE)).toEqual(NO_RANGE);
  const start = freeRange("2026-12-03", today, NO_RANGE);
  expect(freeRange("2026-12-05", today, start)).toEqual({ start: "2026-12-03", end: "2026-12-05" });
  expect(freeRange("2026-12-02", today, start)).toEqual({ start: "2026-12-02", end: "" });
});

test("the address says what is wished, and nonsense in it is nothing", () => {
  const wishes = {
    ...NO_WISHES,
    place: "Hamburg",
    lat: 53.55,
    lon: 9.97,
    start: "2026-12-24",
    end: "2026-12-27",
    guests: 4,
    rooms: 2,
    price: 120,
    currency: "EUR",
    kinds: ["hotel", "cabin"] as const,
    amenities: ["wifi", "pool"] as const,
    match: "any" as const,
    rating: 8,
    sort: "price" as const,
  };
  expect(wishesOf(searchOf(wishes))).toEqual(wishes);
  expect(searchOf(NO_WISHES)).toBe("");
  expect(
    wishesOf(
      "lat=91&lon=9&start=2026-12-27&end=2026-12-24&guests=0&rooms=99&price=12&kinds=castle&sort=x",
    ),
  ).toEqual(NO_WISHES);
  expect(wishesOf("guests=1&rooms=3").rooms).toBe(1);
  expect(wishesOf("start=2026-02-30&end=2026-03-02").start).toBe("");
  expect(listingHref("res_1", wishes)).toBe(
    "/stays/res_1?start=2026-12-24&end=2026-12-27&guests=4&rooms=2",
  );
});

test("any stay in a month stands in the address, and dates go before it", () => {
  const wishes = { ...NO_WISHES, month: "2027-05", nights: 3, arrive: "thu,fri" };
  expect(wishesOf(searchOf(wishes))).toEqual(wishes);
  expect(lengthOf(wishes)).toBe("long_weekend");
  expect(lengthOf({ ...wishes, nights: 4 })).toBeUndefined();
  expect(windowOf(wishes)).toEqual({
    from: "2027-05-01",
    to: "2027-06-03", // who arrives on the last of May
    nights: 3,
    arrive: "thu,fri",
  });
  expect(windowOf({ month: "2027-12", nights: 7, arrive: "" })).toEqual({
    from: "2027-12-01",
    to: "2028-01-07",
    nights: 7,
  });
  for (const nonsense of ["month=2027-13&nights=2", "month=2027-05&nights=32", "month=2027-05"]) {
    expect(wishesOf(nonsense)).toEqual(NO_WISHES);
  }
  expect(wishesOf("month=2027-05&nights=2&arrive=day,sat,fri").arrive).toBe("fri,sat");
  const both = wishesOf("start=2027-05-07&end=2027-05-09&month=2027-05&nights=2");
  expect([both.start, both.month]).toEqual(["2027-05-07", ""]);
  expect(wishesNearly({ kind: "shorter", found: 4, nights: 2 }, wishes)).toEqual({ nights: 2 });
});

test("what is over is asked no more, and this month still is", () => {
  const wishes = { ...NO_WISHES, month: "2027-05", nights: 2, arrive: "fri" };
  expect(inTime(wishes, "2027-05-31")).toEqual(wishes);
  expect(inTime(wishes, "2027-06-01")).toEqual(NO_WISHES);
  const dates = { ...NO_WISHES, start: "2027-05-07", end: "2027-05-09" };
  expect(inTime(dates, "2027-05-07")).toEqual(dates);
  expect(inTime(dates, "2027-05-08")).toEqual(NO_WISHES);
  expect(monthsFrom("2027-11-30").slice(0, 3)).toEqual(["2027-11", "2027-12", "2028-01"]);
});

test("the part of the earth that the map shows stands in the address", () => {
  const wishes = { ...NO_WISHES, box: "9.7,53.4,10.3,53.7", view: "map" as const };
  expect(wishesOf(searchOf(wishes))).toEqual(wishes);
  expect(isSomewhere(wishes)).toBe(true);
  expect(isSomewhere(NO_WISHES)).toBe(false);
  expect(wishesOf("box=1,2,3&view=globe")).toEqual(NO_WISHES);
});

test("a visitor has at most what there is, and can always ask for one room", () => {
  expect(roomsMax({ rooms: 4, owner_limit: null })).toBe(4);
  expect(roomsMax({ rooms: 400, owner_limit: null })).toBe(10);
  expect(roomsMax({ rooms: 4, owner_limit: 2 })).toBe(2);
  expect(roomsMax({ rooms: 0, owner_limit: null })).toBe(1);
});

test("small children sleep in cots, as many as there are", () => {
  const of = (guests: number, cots: number): Parameters<typeof roomsNeeded>[0] => ({
    guests,
    beds: [{ kind: "double" }, { kind: "cot", count: cots }],
  });
  const party = (guests: number, ...ages: number[]) => ({ guests, ages, rooms: 1 });
  expect(roomsNeeded(of(2, 1), party(3, 1))).toBe(1);
  expect(roomsNeeded(of(2, 1), party(3, 3))).toBe(2);
  expect(roomsNeeded(of(2, 1), party(4, 2, 0))).toBe(2);
  expect(roomsNeeded(of(2, 2), party(4, 2, 0))).toBe(1);
  expect(roomsNeeded({ guests: 2, beds: [{ kind: "cot" }] }, party(3, 1))).toBe(1);
  expect(roomsNeeded({ guests: 1, beds: [] }, party(16))).toBe(16);
});

test("from a listing one comes back to its town with the same dates", () => {
  const wishes = { start: "2026-12-24", end: "2026-12-27", guests: 2, ages: [], rooms: 1 };
  expect(nearHref("Bad Segeberg", wishes)).toBe(
    "/stays?place=Bad+Segeberg&start=2026-12-24&end=2026-12-27",
  );
  expect(nearHref("", wishes)).toBe("/stays");
});

test("a refused stay says what it is about, and other dates each once", () => {
  const line = { resource_id: "res_1", unit: "101", from: "2026-12-17", to: "2026-12-19" };
  const data = {
    alternatives: [
      { instead_of: [0], offers: [[line], [{ ...line, unit: "102" }], [{ unit: "A1" }], "x"] },
    ],
  };
  expect(otherRanges(data)).toEqual([{ start: "2026-12-17", end: "2026-12-19" }]);
  expect(otherRanges({})).toEqual([]);
  expect(stayRefusal(new Error("no network"))).toBeNull();
});

test("what is held for days has the words of a stay, and leads back to its listing", () => {
  const stay = {
    resource_id: "res_1",
    unit: null,
    quantity: 1,
    from: "2026-12-24",
    to: "2026-12-27",
  };
  const seat = { ...stay, unit: "A1", from: null, to: null };
  const slot = { ...stay, from: "2026-12-24T10:00:00Z", to: "2026-12-24T11:00:00Z" };
  expect(wordingOf([stay])).toBe("stay");
  expect([[seat], [stay, seat], [slot], []].map(wordingOf)).toEqual(Array(4).fill("usual"));
  expect(inWords("usual")).toEqual({});
  expect(stayHref({ lines: [stay] })).toBe("/stays/res_1?start=2026-12-24&end=2026-12-27");
});

test("children are guests with an age, and an adult comes with them", () => {
  const { guests, ages } = wishesOf("guests=3&ages=4,17");
  expect([guests, ages]).toEqual([3, [4, 17]]);
  expect(wishesOf("guests=2&ages=4,5,6").ages).toEqual([4]);
  expect(wishesOf("guests=9&ages=-1,18,x,,7").ages).toEqual([7]);
  const wishes = { ...NO_WISHES, guests: 3, ages: [4, 17], rate: "Saver" };
  expect(listingHref("res_1", wishes)).toBe("/stays/res_1?guests=3&ages=4%2C17&rate=Saver");
});

test("a hold leads back to its listing with its guests and its rate", () => {
  const room = { resource_id: "res_1", unit: "101", quantity: null, from: "2026-12-24" };
  const line = { ...room, to: "2026-12-27", guests: 2, ages: [4], rate: "Saver" };
  const search = new URL(stayHref({ lines: [line, line] }), "http://x").searchParams;
  expect(Object.fromEntries(search)).toEqual({
    start: "2026-12-24",
    end: "2026-12-27",
    guests: "4",
    ages: "4,4",
    rooms: "2",
    rate: "Saver",
  });
});

const unit = { kind: "unit" as const, label: "101", amount: 0, line: 0 };

test("what nearly fits changes the one thing that it is about", () => {
  const wishes = { ...NO_WISHES, guests: 5, price: 90, currency: "EUR" };
  expect(wishesNearly({ kind: "more_rooms", found: 4, rooms: 3 }, wishes)).toEqual({ rooms: 3 });
  expect(wishesNearly({ kind: "dearer", found: 4, price_max: 11250 }, wishes)).toEqual({
    price: 113,
  });
});

test("nights that cost the same are told together, over all rooms", () => {
  const first = { ...unit, nights: [{ from: "2026-12-30", nights: 3, amount: 100 }] };
  const other = {
    ...unit,
    nights: [
      { from: "2026-12-30", nights: 1, amount: 90 },
      { from: "2026-12-31", nights: 2, amount: 50 },
    ],
  };
  expect(nightRuns({ lines: [first, other] })).toEqual([
    { from: "2026-12-30", nights: 1, amount: 190 },
    { from: "2026-12-31", nights: 2, amount: 150 },
  ]);
  expect(nightRuns({ lines: [unit] })).toEqual([]);
});

test("what a rate gives back is said by its quote", () => {
  const quote = { total: { amount: 1, currency: "EUR" }, amounts: [1], lines: [unit] };
  expect(refundShares({ quote })).toBeNull();
  const terms = [{}, { tiers: [{ before_seconds: 86_400, basis_points: 10_000 }] }];
  const at = (place: number) => ({
    quote: { ...quote, lines: [{ ...unit, terms: place }], cancellation: terms },
  });
  expect(refundShares(at(0))).toEqual([{ until: null, before_seconds: null, basis_points: 0 }]);
  expect(refundShares(at(1))?.[0]).toEqual({
    until: null,
    before_seconds: 86_400,
    basis_points: 10_000,
  });
});

test("search engines read what a listing is, where, what a night costs, and its pictures", () => {
  const picture = (id: string) => ({
    id,
    path: `/v1/stays/pictures/${id}`,
    width: 960,
    height: 640,
    description: "",
  });
  const listing = {
    id: "res_1",
    name: "Double room",
    guests: 2,
    square_metres: null,
    amenities: ["heating", "wifi"],
    summary: "To the yard.",
    description: "",
    price: { amount: 12050, currency: "EUR" },
    state: "open",
    pictures: [picture("bed")],
    property: {
      name: "Haus am Hafen",
      kind: "hotel",
      stars: 3,
      address: "",
      city: "Hamburg",
      country: "DE",
      lat: 53.5,
      lon: 10,
      check_in_time: "15:00",
      check_out_time: "11:00",
      summary: "",
      description: "",
      rating: 8.7,
      ratings: 1204,
      amenities: ["wifi"],
      pictures: [picture("sea")],
    },
  } as unknown as Listing;
  expect(picturesOf(listing)).toEqual(["/v1/stays/pictures/bed", "/v1/stays/pictures/sea"]);
  const said = JSON.parse(JSON.stringify(structuredListing(listing, "https://shop.example")));
  expect(said).toMatchObject({
    "@type": "Hotel",
    name: "Haus am Hafen",
    url: "https://shop.example/stays/res_1",
    image: [
      "https://shop.example/v1/stays/pictures/bed",
      "https://shop.example/v1/stays/pictures/sea",
    ],
    starRating: { ratingValue: 3 },
    aggregateRating: { ratingValue: 8.7, ratingCount: 1204, bestRating: 10 },
    makesOffer: {
      priceSpecification: { price: "120.50", priceCurrency: "EUR" },
      itemOffered: { "@type": "HotelRoom", name: "Double room", occupancy: { maxValue: 2 } },
    },
  });
  expect(said.amenityFeature.map((one: { name: string }) => one.name)).toEqual(["heating", "wifi"]);
  expect(said.description).toBeUndefined();
});

test("nights are taken by others, and not where a rule does not sell them", () => {
  const taken = (first: Partial<CalendarNight>, second: Partial<CalendarNight>, rooms = 1) => {
    const nights = [night("2026-12-24", first), night("2026-12-25", second)];
    return isTaken(calendarOf(nights), { start: "2026-12-24", end: "2026-12-26" }, rooms);
  };
  const one = { max_nights: 1 };
  expect(taken({ free: 2, max_nights: 5 }, { free: 2 })).toBe(false);
  expect(taken({ free: 2, ...one }, { free: 0 })).toBe(true);
  expect(taken({ free: 2, ...one }, { free: 1 }, 2)).toBe(true);
  expect(taken({ free: 0, arrive: false, reason: "booked" }, { free: 2 })).toBe(true);
  // Free in both nights, and in no room for both.
  expect(taken({ free: 1, ...one }, { free: 1 })).toBe(true);
  expect(taken({ free: 2, arrive: false, reason: "closed_to_arrival" }, { free: 2 })).toBe(false);
  expect(taken({ free: 2, min_nights: 3 }, { free: 2 })).toBe(false);
  expect(taken({ free: 0, arrive: false, closed: true }, { free: 0 })).toBe(false);
  // Beyond what the calendar shows nobody knows.
  expect(isTaken(calendarOf([]), { start: "2026-12-24", end: "2026-12-26" }, 1)).toBe(false);
});
