import { expect, test } from "vitest";
import type { Plan } from "~/api/schema";
import { rangeWords } from "./rangeWords";

const clinic = (time_zone: string) => ({
  plan: { type: "times", slot_minutes: 15 } satisfies Plan,
  time_zone,
});
const plain = (text: string) => text.replaceAll(/\s/g, " ");

test("nights are dates", () => {
  const of = { plan: { type: "nights", count: 1 } satisfies Plan, time_zone: "Asia/Kolkata" };
  expect(rangeWords(of, "2030-02-01", "2030-02-03")).toMatch(/1.*–.*3/);
  expect(rangeWords(of, undefined, undefined)).toBe("");
});

test("times are by the clock of the resource, which is named where it is another", () => {
  const there = rangeWords(clinic("Asia/Kolkata"), "2030-02-01T09:00:00Z", "2030-02-01T09:15:00Z");
  expect(plain(there)).toContain("2:30 PM – 2:45 PM");
  expect(there).toMatch(/\(.+\)$/);
});

test("a range that ends on another day says so", () => {
  const night = rangeWords(clinic("UTC"), "2030-02-01T23:00:00Z", "2030-02-02T01:00:00Z");
  expect(plain(night)).toMatch(/Feb 1.*11:00 PM – .*Feb 2.*1:00 AM/);
});

test("a time without an offset is what the clock there shows", () => {
  expect(plain(rangeWords(clinic("Asia/Tokyo"), "2030-02-01T09:00", undefined))).toContain(
    "9:00 AM",
  );
});

test("what is no time or stop is not said", () => {
  expect(rangeWords(clinic("UTC"), "evil.example", "PT15M")).toBe("");
  const run = { type: "legs", stops: [{ code: "A" }, { code: "B" }] } satisfies Plan;
  expect(rangeWords({ plan: run, time_zone: "UTC" }, "evil.example", "B")).toBe("B");
  expect(plain(rangeWords(clinic("UTC"), "2030-02-01T09:00:00Z", "PT15M"))).toMatch(/9:00 AM$/);
});

test("stops are said by their names, in the language of the page", () => {
  const stops = [{ code: "OPO", name: "Porto" }, { code: "LIS", name: "Lisbon" }, { code: "X" }];
  const of = { plan: { type: "legs", stops } satisfies Plan, time_zone: "UTC" };
  expect(rangeWords(of, "OPO", "LIS")).toBe("Porto – Lisbon");
  expect(rangeWords({ ...of, words: { Lisbon: "Lissabon" } }, "OPO", "LIS")).toBe(
    "Porto – Lissabon",
  );
  expect(rangeWords(of, "LIS", "X")).toBe("Lisbon – X");
});

test("when the clocks go back, what they show twice has its offset", () => {
  const berlin = clinic("Europe/Berlin");
  const first = rangeWords(berlin, "2030-10-27T02:00:00+02:00", "2030-10-27T02:30:00+02:00");
  const second = rangeWords(berlin, "2030-10-27T02:00:00+01:00", "2030-10-27T02:30:00+01:00");
  expect(plain(first)).toMatch(/2:00 AM \(GMT\+2\) – 2:30 AM \(GMT\+2\)/);
  expect(plain(second)).toMatch(/2:00 AM \(GMT\+1\) – 2:30 AM \(GMT\+1\)/);
  const after = rangeWords(berlin, "2030-10-27T03:00:00+01:00", "2030-10-27T04:00:00+01:00");
  expect(plain(after)).toContain("3:00 AM – 4:00 AM");
});
