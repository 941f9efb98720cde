// The words of cancellation policies.
import { expect, test } from "vitest";
import { wordsOfAmounts, wordsOfShares } from "./steps";

const UNTIL = "2026-11-21T19:00:00Z";
const share = (
  basis_points: number,
  until: string | null = null,
  before: number | null = null,
) => ({
  until,
  before_seconds: before,
  basis_points,
});

test("by share: all, half, none", () => {
  const words = wordsOfShares([share(10_000, UNTIL), share(5000, UNTIL), share(0)]);
  expect(words.map(({ say, when }) => `${say} ${when}`)).toEqual([
    "full until",
    "part until",
    "none then",
  ]);
});

test("one step is for ever", () => {
  expect(wordsOfShares([share(0)])).toMatchObject([{ say: "none", when: "always" }]);
  expect(wordsOfShares([share(10_000)])).toMatchObject([{ say: "full", when: "always" }]);
});

test("before the begin, in days or hours", () => {
  expect(
    wordsOfShares([share(10_000, null, 604_800), share(0, null, 5400), share(0)]),
  ).toMatchObject([
    { when: "before", before: { unit: "days", count: 7 } },
    { when: "before", before: { unit: "hours", count: 2 } },
    { when: "then" },
  ]);
});

test("by amount: what keeps the fees is no full refund", () => {
  const steps = [
    { until: UNTIL, amount: 3000, basis_points: 10_000 },
    { until: null, amount: 0, basis_points: 0 },
  ];
  expect(wordsOfAmounts(steps, 3200)[0]).toMatchObject({ say: "part", amount: 3000 });
  expect(wordsOfAmounts(steps, 3000)[0]).toMatchObject({ say: "full", amount: 3000 });
});
