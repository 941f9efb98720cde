// A date between the form and the API.
import { expect, test } from "vitest";
import type { Performance } from "~/api/schema";
import {
  dateDraft,
  dateFaults,
  newDateDraft,
  newPerformance,
  performanceChange,
} from "./dateDraft";

const DATE: Performance = {
  id: "res_00000001",
  production: { id: "prd_1", title: "Four hands", kind: "concert", picture: null },
  venue: { id: "ven_1", name: "House", address: "", city: "", country: null, accessibility: "" },
  hall: { id: "hal_1", name: "Hall" },
  starts_at: "2030-03-07T20:00:00+01:00",
  ends_at: "2030-03-07T22:00:00+01:00",
  doors_at: null,
  time_zone: "Europe/Berlin",
  opens_at: null,
  closes_at: "2030-03-07T20:00:00+01:00",
  price_from: 1200,
  currency: "EUR",
  categories: [
    { code: "Stalls", name: "Stalls", price: 2450 },
    { code: "Balcony", name: "Balcony", price: 1200 },
  ],
  units_total: 10,
  units_free: 10,
  state: "on_sale",
  published: false,
  payment: "required",
  pricing: null,
  owner_limit: 10,
  hold_seconds: 600,
  hold_seconds_max: 1800,
  note: "",
};

test("an untouched form changes nothing", () => {
  expect(performanceChange(DATE, dateDraft(DATE))).toEqual({});
});

test("only what was changed is sent, by the venue's clocks", () => {
  const draft = dateDraft(DATE);
  const changed = {
    ...draft,
    starts: "2030-03-08T19:30",
    prices: { ...draft.prices, Stalls: "26,00" },
  };
  expect(performanceChange(DATE, changed)).toEqual({
    starts_at: "2030-03-08T19:30",
    prices: { Stalls: 2600, Balcony: 1200 },
  });
});

const WORDY: Performance = {
  ...DATE,
  note: "Bring a coat",
  pricing: {
    fees: [{ name: "Booking fee", amount: 100 }],
    taxes: [{ name: "VAT", basis_points: 700, included: true }],
  },
  translations: [
    {
      language: "de",
      words: {
        "Your name?": "Ihr Name?",
        "Bring a coat": "Bitte einen Mantel mitbringen",
        "Booking fee": "Buchungsgebühr",
        VAT: "USt.",
      },
    },
  ],
};

test("the note and the names of fees and taxes are read with their translations", () => {
  expect(dateDraft(WORDY).translated).toEqual({
    de: {
      note: "Bitte einen Mantel mitbringen",
      "fee Booking fee": "Buchungsgebühr",
      "tax VAT": "USt.",
    },
  });
  expect(performanceChange(WORDY, dateDraft(WORDY))).toEqual({});
});

test("a note that is typed anew keeps its translation, and those of questions stay", () => {
  const draft = dateDraft(WORDY);
  const change = performanceChange(WORDY, { ...draft, note: "Bring a warm coat" });
  expect(change.translations?.[0]?.words).toEqual({
    "Your name?": "Ihr Name?",
    "Bring a warm coat": "Bitte einen Mantel mitbringen",
    "Booking fee": "Buchungsgebühr",
    VAT: "USt.",
  });
  const bare = performanceChange(WORDY, { ...draft, note: "", terms: dateDraft(DATE).terms });
  expect(bare.translations?.[0]?.words).toEqual({ "Your name?": "Ihr Name?" });
});

test("the next date begins with the words of the latest", () => {
  const draft = {
    ...newDateDraft("EUR", 60, WORDY),
    starts: "2030-03-14T20:00",
    note: "Come early",
  };
  const made = newPerformance("prd_1", draft, DATE.categories, WORDY);
  expect(made.translations?.[0]?.words).toEqual({
    "Your name?": "Ihr Name?",
    "Come early": "Bitte einen Mantel mitbringen",
    "Booking fee": "Buchungsgebühr",
    VAT: "USt.",
  });
});

test("a new date needs a hall, a time, its length and all prices", () => {
  const draft = newDateDraft("EUR", null);
  const categories = [{ code: "Stalls", name: "Stalls" }];
  expect(dateFaults(draft, categories)).toEqual(["hall", "starts", "minutes", "prices.Stalls"]);
  const filled = {
    ...draft,
    hall: "hal_1",
    starts: "2030-03-07T20:00",
    minutes: "90",
    prices: { Stalls: "12" },
  };
  expect(dateFaults(filled, categories)).toEqual([]);
  expect(newPerformance("prd_1", filled, categories)).toMatchObject({
    hall: "hal_1",
    starts_at: "2030-03-07T20:00",
    minutes: 90,
    currency: "EUR",
    prices: { Stalls: 1200 },
    payment: "required",
    owner_limit: 10,
    hold_seconds: 600,
    published: false,
  });
});

test("what is free has no prices to read, and nothing to pay", () => {
  const free = {
    ...newDateDraft("EUR", 60),
    hall: "hal_1",
    starts: "2030-03-07T20:00",
    isFree: true,
  };
  const made = newPerformance("prd_1", free, [{ code: "Area", name: "Area" }]);
  expect(made.payment).toBe("none");
  expect(made.prices).toEqual({ Area: 0 });
});

test("what others changed since the form began is not sent", () => {
  const draft = { ...dateDraft(DATE), minutes: "111" };
  const now = { ...DATE, note: "Theirs", owner_limit: 3, hold_seconds: 90 };
  expect(performanceChange(DATE, draft, now)).toEqual({ minutes: 111 });
});
