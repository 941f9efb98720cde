import { expect, test } from "vitest";
import { saleChangesAt, saleOf } from "./sale";

const OPEN = {
  state: "open",
  opens_at: "2026-11-21T10:00:00Z",
  closes_at: "2026-11-21T19:30:00Z",
  starts_at: null,
} as const;
const at = (text: string) => Date.parse(text);

test("a sale begins and ends to the millisecond", () => {
  expect(saleOf(OPEN, at("2026-11-21T09:59:59.999Z"))).toBe("not_yet");
  expect(saleOf(OPEN, at("2026-11-21T10:00:00Z"))).toBe("open");
  expect(saleOf(OPEN, at("2026-11-21T19:29:59.999Z"))).toBe("open");
  expect(saleOf(OPEN, at("2026-11-21T19:30:00Z"))).toBe("over");
});

test("what its operator closed is closed, whatever the time", () => {
  expect(saleOf({ ...OPEN, state: "closed" }, at("2026-11-21T12:00:00Z"))).toBe("closed");
});

test("a sale without times is open, and nothing changes by itself", () => {
  const always = { state: "open", opens_at: null, closes_at: null, starts_at: null } as const;
  expect(saleOf(always, 0)).toBe("open");
  expect(saleChangesAt(always, 0)).toBeNull();
});

test("what begins is over then, unless the resource says when its sale ends", () => {
  const starts_at = "2026-11-21T19:00:00Z";
  const begins = { ...OPEN, closes_at: null, starts_at };
  expect(saleOf(begins, at("2026-11-21T18:59:59.999Z"))).toBe("open");
  expect(saleChangesAt(begins, at("2026-11-21T18:00:00Z"))).toBe(at(starts_at));
  expect(saleOf(begins, at(starts_at))).toBe("over");
  expect(saleOf({ ...OPEN, starts_at }, at("2026-11-21T19:15:00Z"))).toBe("open");
});

test("what changes next is the beginning, then the end, then nothing", () => {
  expect(saleChangesAt(OPEN, at("2026-11-21T09:00:00Z"))).toBe(at(OPEN.opens_at));
  expect(saleChangesAt(OPEN, at("2026-11-21T11:00:00Z"))).toBe(at(OPEN.closes_at));
  expect(saleChangesAt(OPEN, at("2026-11-21T20:00:00Z"))).toBeNull();
});
