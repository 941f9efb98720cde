// What a cancellation gives back, between the form and the API.
import fc from "fast-check";
import { expect, test } from "vitest";
import { nextStep, policyOf, refundDraft, refundFaults, REFUND_STEPS_MAX } from "./refundTerms";

const DAY = 86_400;
const UNTIL = refundDraft({ free_until_seconds: 14 * DAY, tiers: [] });

test("all until 14 days before, half until 2 days, then nothing", () => {
  const policy = {
    free_until_seconds: 14 * DAY,
    tiers: [{ before_seconds: 2 * DAY, basis_points: 5000 }],
    fees_back: true,
  };
  const draft = refundDraft(policy);
  expect(draft.full).toEqual({ count: "14", unit: "days" });
  expect(draft.steps).toEqual([{ count: "2", unit: "days", share: "50" }]);
  expect(policyOf(draft, null)).toEqual(policy);
});

test("whatever policy the form shows goes out as it came", () => {
  const step = fc.record({ hours: fc.nat(365 * 24), share: fc.integer({ min: 1, max: 9999 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: REFUND_STEPS_MAX + 1 }), fc.boolean(), (some, fees) => {
      const hours = [...new Set(some.map((one) => one.hours))].toSorted((a, b) => b - a);
      const shares = [...new Set(some.map((one) => one.share))].toSorted((a, b) => b - a);
      const [first = 0, ...others] = hours;
      const tiers = others
        .slice(0, shares.length)
        .map((one, at) => ({ before_seconds: one * 3600, basis_points: shares[at] ?? 0 }));
      const policy = { free_until_seconds: first * 3600, tiers, fees_back: fees };
      const draft = refundDraft(policy);
      expect(draft.is).toBe("until");
      expect(refundFaults(draft)).toEqual([]);
      expect(policyOf(draft, null)).toEqual(policy);
    }),
  );
});

test("steps that contradict each other are named", () => {
  const steps = [
    { count: "14", unit: "days", share: "50" },
    { count: "24", unit: "hours", share: "50" },
    { count: "2", unit: "days", share: "0" },
    { count: "x", unit: "hours", share: "101" },
  ] as const;
  expect(refundFaults({ ...UNTIL, steps })).toEqual([
    "refund.steps.0.count",
    "refund.steps.1.share",
    "refund.steps.2.count",
    "refund.steps.2.share",
    "refund.steps.3.count",
    "refund.steps.3.share",
  ]);
  expect(refundFaults({ ...UNTIL, steps, is: "never" })).toEqual([]);
});

test("policies that the form cannot show stay", () => {
  const tiers = [{ before_seconds: DAY, basis_points: 5000 }];
  const twice = [...tiers, { before_seconds: 0, basis_points: 5000 }];
  const many = Array.from({ length: REFUND_STEPS_MAX + 1 }, (_, at) => ({
    before_seconds: (20 - at) * DAY,
    basis_points: 9000 - at,
  }));
  for (const policy of [
    { tiers },
    { free_until_seconds: 90, tiers: [] },
    { free_until_seconds: -DAY, tiers: [] },
    { free_until_seconds: 3 * DAY, tiers: twice },
    { free_until_seconds: 30 * DAY, tiers: many },
    { free_until_seconds: 3 * DAY, tiers, overrides: [{ rates: ["saver"], refundable: false }] },
  ]) {
    const draft = refundDraft(policy);
    expect(draft.is).toBe("other");
    expect(policyOf(draft, policy)).toBe(policy);
  }
});

test("a step that is added goes on from the last", () => {
  const one = nextStep(UNTIL);
  expect(one).toEqual({ count: "7", unit: "days", share: "50" });
  const two = nextStep({ ...UNTIL, steps: [one] });
  expect(two).toEqual({ count: "3", unit: "days", share: "25" });
  expect(refundFaults({ ...UNTIL, steps: [one, two] })).toEqual([]);
});
