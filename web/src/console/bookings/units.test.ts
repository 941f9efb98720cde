import { expect, test } from "vitest";
import { takenInWords, unitInWords, unitsInWords } from "./units";

test("a line is told by its unit, its days and how many", () => {
  expect(unitInWords({ unit: "F7", quantity: null })).toBe("F7");
  expect(unitInWords({ unit: "floor", quantity: 3 })).toBe("3 × floor");
  const nights = { from: "2026-12-01", to: "2026-12-04" };
  expect(unitInWords({ unit: null, quantity: 2, ...nights })).toBe("2 × Tue, Dec 1 – Fri, Dec 4");
  expect(unitInWords({ unit: "101", quantity: null, ...nights })).toBe(
    "101 · Tue, Dec 1 – Fri, Dec 4",
  );
});

test("what goes from a stop to another is told by them", () => {
  expect(unitInWords({ unit: "12A", quantity: null, from: "POR", to: "LIS" })).toBe(
    "12A · POR – LIS",
  );
});

test("a time is told by the clock of where it is", () => {
  const times = { from: "2026-12-01T09:00:00+01:00", to: "2026-12-01T09:30:00+01:00" };
  expect(unitInWords({ unit: "Dr Rao", quantity: null, rate: "Check-up", ...times })).toBe(
    "Dr Rao · Check-up · Tue, Dec 1, 9:00 AM – 9:30 AM",
  );
  expect(unitInWords({ unit: "court", quantity: null, ...times })).not.toContain("T09");
});

test("pieces of a time are told by who gives it", () => {
  const piece = (unit: string, quantity: number | null = null) => ({ unit, quantity });
  const rao = ["00", "05", "10"].map((minute) => piece(`Dr Rao@2026-11-30T09:${minute}Z`));
  expect(takenInWords([...rao, piece("Dr Lind@2026-11-30T09:00Z")])).toBe("Dr Rao, Dr Lind");
  expect(takenInWords([piece("mia@2026-11-30T09:00Z", 2), piece("mia@2026-11-30T09:05Z", 2)])).toBe(
    "2 × mia",
  );
  expect(takenInWords([piece("F7"), piece("101@2026-12-01")])).toBe("F7, 101@2026-12-01");
});

test("of many lines the first are told", () => {
  const lines = Array.from({ length: 8 }, (_, at) => ({ unit: `A${at + 1}`, quantity: null }));
  expect(unitsInWords(lines)).toBe("A1, A2, A3, A4, A5, A6 + 2");
});
