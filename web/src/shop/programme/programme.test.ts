import fc from "fast-check";
import { expect, test } from "vitest";
import type { Performance, Production } from "~/api/schema";
import { countOfFilters, filtersOf, NO_FILTERS, searchOf, spanOf } from "./filters";
import { KINDS } from "./kinds";
import { leftOf } from "./left";
import { addMonths, dayAfterKey, lastDayOf, weekday, weeksOf } from "../calendar/month";
import { structuredData } from "./structured";

test("filters go into the address and come back", () => {
  const text = fc
    .string({ maxLength: 20, unit: "grapheme-composite" })
    .map((one) => one.replaceAll("\0", "").trim());
  const filters = fc.record({
    q: text,
    kind: fc.constantFrom("" as const, ...KINDS),
    venue: fc.constantFrom("", "ven_7bzx12"),
    city: text,
    when: fc.constantFrom("" as const, "today" as const, "weekend" as const),
    from: fc.constant(""),
    to: fc.constant(""),
    view: fc.constantFrom("list" as const, "calendar" as const),
    month: fc.constantFrom("", "2030-03"),
  });
  fc.assert(
    fc.property(filters, (one) => {
      expect(filtersOf(searchOf(one))).toEqual(one);
    }),
  );
  const range = { ...NO_FILTERS, when: "range" as const, from: "2030-03-07", to: "2030-03-09" };
  expect(filtersOf(searchOf(range))).toEqual(range);
});

test("what makes no sense in an address is as good as absent", () => {
  const odd = "?kind=war&venue=<script>&when=never&from=2030-02-30&view=3d&month=2030-13&x=1";
  expect(filtersOf(odd)).toEqual(NO_FILTERS);
  expect(filtersOf(`q=${"x".repeat(500)}`).q).toHaveLength(100);
  expect(searchOf(NO_FILTERS)).toBe("");
});

test("how things are shown is no filter that a visitor would clear", () => {
  expect(countOfFilters({ ...NO_FILTERS, view: "calendar", month: "2030-03" })).toBe(0);
  expect(countOfFilters({ ...NO_FILTERS, q: "x", kind: "talk", city: "Berlin" })).toBe(3);
});

test("the days that are asked for", () => {
  const today = "2030-03-07"; // a Thursday
  expect(spanOf(NO_FILTERS, today)).toEqual({ from: "", to: "" });
  expect(spanOf({ ...NO_FILTERS, when: "today" }, today)).toEqual({ from: today, to: today });
  const weekend = { ...NO_FILTERS, when: "weekend" as const };
  expect(spanOf(weekend, today)).toEqual({ from: "2030-03-09", to: "2030-03-10" });
  expect(spanOf(weekend, "2030-03-10")).toEqual({ from: "2030-03-10", to: "2030-03-10" });
  expect(spanOf(weekend, today, [5, 6])).toEqual({ from: "2030-03-08", to: "2030-03-09" });
  const past = { ...NO_FILTERS, when: "range" as const, from: "2029-01-01", to: "" };
  expect(spanOf(past, today)).toEqual({ from: today, to: "" });
});

test("a month in weeks, whichever day they begin with", () => {
  const weeks = weeksOf("2030-03", 1); // from a Friday to a Sunday
  expect(weeks).toHaveLength(5);
  expect(weeks[0]).toEqual([null, null, null, null, "2030-03-01", "2030-03-02", "2030-03-03"]);
  for (const first of [1, 6, 7]) {
    for (let month = "2028-01"; month < "2032-01"; month = addMonths(month, 1)) {
      const days = weeksOf(month, first).flat();
      expect(days.filter((day) => day !== null)).toHaveLength(Number(lastDayOf(month).slice(8)));
      days.forEach((day, place) => {
        if (day !== null) expect(weekday(day)).toBe(((first - 1 + place) % 7) + 1);
      });
    }
  }
});

test("keys move by days, weeks and months, along the line of reading", () => {
  expect(dayAfterKey("ArrowRight", "2030-03-31", false)).toBe("2030-04-01");
  expect(dayAfterKey("ArrowRight", "2030-03-31", true)).toBe("2030-03-30");
  expect(dayAfterKey("ArrowDown", "2030-03-31", true)).toBe("2030-04-07");
  expect(dayAfterKey("Home", "2030-03-31", false)).toBe("2030-03-01");
  expect(dayAfterKey("End", "2030-02-10", false)).toBe("2030-02-28");
  expect(dayAfterKey("PageUp", "2030-03-31", false)).toBe("2030-02-28");
  expect(dayAfterKey("PageDown", "2030-12-15", false)).toBe("2031-01-15");
  expect(dayAfterKey("Enter", "2030-03-31", false)).toBeUndefined();
});

test("how much is left", () => {
  const date = { state: "on_sale", units_free: 100, units_total: 100 };
  expect(leftOf(date)).toBe("plenty");
  expect(leftOf({ ...date, units_free: 12 })).toBe("few");
  expect(leftOf({ ...date, units_free: 0 })).toBe("sold_out");
  expect(leftOf({ state: "on_sale", units_free: 20 })).toBe("few");
  expect(leftOf({ state: "on_sale", units_free: 21 })).toBe("plenty");
  expect(leftOf({ ...date, state: "not_yet" })).toBe("not_yet");
  expect(leftOf({ ...date, state: "called_off" })).toBe("called_off");
  expect(leftOf({ ...date, state: "none" })).toBe("closed");
});

const EVENT: Production = {
  id: "prd_1",
  title: "Four Hands",
  kind: "concert",
  series: null,
  performers: ["Zoë Müller"],
  summary: "",
  description: "Two pianists.",
  minutes: 90,
  age_from: 6,
  website: null,
  picture: "/v1/programme/productions/prd_1/picture?v=1",
  picture_text: null,
  next_performance: null,
  performances: 1,
  price_from: null,
  units_free: 1,
  state: "on_sale",
  venues: [],
  archived: false,
};
const DATE: Performance = {
  id: "res_1",
  production: { id: "prd_1", title: "Four Hands", kind: "concert", picture: null },
  venue: {
    id: "ven_1",
    name: "Kesselhaus",
    address: "Am Krögel 2",
    city: "Berlin",
    country: "DE",
    accessibility: "",
  },
  hall: { id: "hal_1", name: "Saal" },
  starts_at: "2030-03-07T20:00:00+01:00",
  ends_at: "2030-03-07T21:30:00+01:00",
  doors_at: null,
  time_zone: "Europe/Berlin",
  opens_at: null,
  closes_at: null,
  price_from: 2950,
  currency: "EUR",
  categories: [],
  units_total: 100,
  units_free: 100,
  state: "on_sale",
  published: true,
  payment: "required",
  pricing: null,
  owner_limit: null,
  hold_seconds: 600,
  hold_seconds_max: 600,
  note: "",
};

test("search engines read each date", () => {
  const off = { ...DATE, state: "called_off" as const };
  const made = structuredData(EVENT, [DATE, off], "https://shop.example", "House");
  expect(made).toMatchObject({
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "MusicEvent",
        name: "Four Hands",
        startDate: DATE.starts_at,
        image: "https://shop.example/v1/programme/productions/prd_1/picture?v=1",
        location: { name: "Kesselhaus", address: { addressLocality: "Berlin" } },
        organizer: { name: "House" },
        offers: {
          price: "29.50",
          priceCurrency: "EUR",
          availability: "https://schema.org/InStock",
          url: "https://shop.example/shows/res_1",
        },
      },
      { eventStatus: "https://schema.org/EventCancelled" },
    ],
  });
  const yen = { ...DATE, currency: "JPY" };
  expect(structuredData(EVENT, [yen], "https://x.example", null)).toMatchObject({
    "@graph": [{ offers: { price: "2950" } }],
  });
});
