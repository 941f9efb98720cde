import { describe, expect, it } from "vitest";
import { changed, isOver } from "../saving/changes";
import { priceRuleDraft, priceRuleFaults, priceRuleOf, ruleOwn, wholeRule } from "./priceRules";

const RULE = {
  least: 8000,
  most: 20_000,
  step: 750,
  multiple: 500,
  days_ahead: 90,
  applied: "by_rule",
} as const;

describe("the rule of suggested prices", () => {
  it("comes back as it was", () => {
    for (const currency of ["EUR", "JPY", "KWD"]) {
      const draft = priceRuleDraft(RULE, 12_000, currency);
      expect(priceRuleFaults(draft, currency)).toEqual([]);
      expect(priceRuleOf(draft, currency)).toEqual(RULE);
    }
  });

  it("is sent whole, with what somebody else has changed of it", () => {
    const rule = { ...RULE, version: 7 };
    const change = changed(ruleOwn({ rule }), { ...RULE, most: 30_000 });
    const theirs = { rule: { ...RULE, least: 7000, version: 8 } };
    expect(isOver(ruleOwn({ rule }), ruleOwn(theirs), change)).toBe(false);
    expect(wholeRule(change, theirs)).toEqual({ ...RULE, least: 7000, most: 30_000, version: 8 });
  });

  it("is told of where somebody else said the first one", () => {
    const none = { rule: null };
    const change = changed(ruleOwn(none), RULE);
    expect(wholeRule(change, none)).toEqual({ ...RULE, version: 0 });
    const theirs = { rule: { ...RULE, least: 7000 } };
    expect(isOver(ruleOwn(none), ruleOwn(theirs), change)).toBe(true);
    expect(isOver(ruleOwn(none), ruleOwn({ rule: RULE }), change)).toBe(false);
  });

  it("begins with half and twice of what is usual", () => {
    const draft = priceRuleDraft(null, 12_001, "EUR");
    expect([draft.least, draft.most, draft.step]).toEqual(["60.00", "240.02", "10"]);
  });

  it("says what cannot be read", () => {
    const draft = priceRuleDraft(RULE, 12_000, "EUR");
    expect(priceRuleFaults({ ...draft, most: "79" }, "EUR")).toEqual(["most"]);
    expect(
      priceRuleFaults({ ...draft, least: "0", step: "101", multiple: "x", days: "367" }, "EUR"),
    ).toEqual(["least", "step", "multiple", "days"]);
  });
});
