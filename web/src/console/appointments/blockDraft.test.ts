// A block between its form and the API.
import { expect, test } from "vitest";
import { blockLine } from "./blockDraft";

const DRAFT = { provider: "Dr Rao", date: "2030-03-04", from: "12:00", to: "13:30", reason: "" };

test("a time of a provider is a line by the clocks of the team", () => {
  const line = { unit: "Dr Rao", from: "2030-03-04T12:00", to: "2030-03-04T13:30" };
  expect(blockLine(DRAFT)).toEqual(line);
  expect(blockLine({ ...DRAFT, provider: "" })).toEqual({ ...line, unit: null });
});

test("until midnight is until the next day begins", () => {
  expect(blockLine({ ...DRAFT, to: "00:00" })?.to).toBe("2030-03-05T00:00");
  expect(blockLine({ ...DRAFT, from: "22:00", to: "02:00" })?.to).toBe("2030-03-05T02:00");
});

test("from midnight to midnight is all of a day, whose clocks may be put forward", () => {
  expect(blockLine({ ...DRAFT, date: "2030-03-31", from: "00:00", to: "00:00" })).toMatchObject({
    from: "2030-03-31T00:00",
    to: "2030-04-01T00:00",
  });
});

test("what has no length is no line", () => {
  expect(blockLine({ ...DRAFT, to: "12:00" })).toBe(null);
  expect(blockLine({ ...DRAFT, from: "" })).toBe(null);
  expect(blockLine({ ...DRAFT, date: "" })).toBe(null);
});
