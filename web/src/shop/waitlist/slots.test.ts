import { expect, test } from "vitest";
import type { MomentsAvailability, TimesAvailability } from "~/api/schema";
import { beginningsOf, placeOf, withDay, withFrom } from "./slots";

const of = { resource_id: "res_1", version: "1" };
const at = (clock: string) => `2030-02-01T${clock}:00+05:30`;
const slot = (from: string, to: string, more: object = {}) => ({
  from: at(from),
  to: at(to),
  available: 1,
  price: 100,
  ...more,
});
const times = (...slots: TimesAvailability["slots"]): TimesAvailability => ({
  ...of,
  type: "times",
  from: at("00:00"),
  to: at("23:00"),
  quantity: 1,
  slots,
  closed: [],
});

test("taken times are what one waits for; those that are never sold are not", () => {
  const found = times(
    slot("09:00", "09:15", { reason: "cutoff" }),
    slot("09:20", "09:35"),
    slot("09:40", "09:55", { available: 0, reason: "booked" }),
    slot("10:00", "10:15", { available: 0, reason: "beyond_window" }),
  );
  expect(beginningsOf(found)).toEqual([
    { from: at("09:20"), ends: [at("09:35")] },
    { from: at("09:40"), ends: [at("09:55")] },
  ]);
});

test("several slots in a row, as many as one may have and there are", () => {
  const row = times(slot("09:00", "10:00"), slot("10:00", "11:00"), slot("11:00", "12:00"));
  expect(beginningsOf(row, { consecutive_max: 2 }).map(({ ends }) => ends)).toEqual([
    [at("10:00"), at("11:00")],
    [at("11:00"), at("12:00")],
    [at("12:00")],
  ]);
});

const moments = (given: Partial<MomentsAvailability>): MomentsAvailability => ({
  ...of,
  type: "moments",
  from: at("00:00"),
  to: at("23:00"),
  raster_seconds: 900,
  min_seconds: 1800,
  max_seconds: 3600,
  price: 1,
  hours: [{ from: at("09:00"), to: at("10:15") }],
  on_sale: { from: at("09:10"), to: at("23:00") },
  things: [],
  ...given,
});
const instants = (...clocks: string[]) => clocks.map((clock) => new Date(at(clock)).toISOString());

test("exact ranges are as long as may be, in the hours that are still on sale", () => {
  const open = moments({ on_sale: { from: at("00:00"), to: at("23:00") } });
  expect(beginningsOf(open).map(({ from }) => from)).toEqual(
    instants("09:00", "09:15", "09:30", "09:45"),
  );
  expect(beginningsOf(open)[0]?.ends).toEqual(instants("09:30", "09:45", "10:00"));
  expect(beginningsOf(open).at(-1)?.ends).toEqual(instants("10:15"));
  expect(beginningsOf(moments({ on_sale: null }))).toEqual([]);
});

test("a beginning that no end is left for is none", () => {
  const late = moments({
    raster_seconds: 300,
    min_seconds: 300,
    hours: [{ from: at("09:00"), to: at("09:50") }],
    on_sale: { from: at("00:00"), to: at("23:00") },
  });
  expect(beginningsOf(late).map(({ from }) => from)).toEqual(instants("09:00", "09:15", "09:30"));
});

test("a beginning is on the raster of the hours, also where the sale begins amid it", () => {
  expect(beginningsOf(moments({})).map(({ from }) => from)).toEqual(
    instants("09:15", "09:30", "09:45"),
  );
});

test("a fine raster is shown in quarters of an hour at least", () => {
  const fine = moments({
    raster_seconds: 60,
    min_seconds: 60,
    on_sale: { from: at("00:00"), to: at("23:00") },
  });
  expect(beginningsOf(fine)).toHaveLength(5);
  expect(beginningsOf(fine)[0]?.ends).toEqual(instants("09:15", "09:30", "09:45", "10:00"));
});

test("what sells no times has none", () => {
  const seats = { ...of, type: "tickets" as const, available: 1, count: 1, next: null };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only its type is looked at
  expect(beginningsOf(seats as unknown as TimesAvailability)).toEqual([]);
});

test("another beginning keeps the length where it can, another day keeps nothing", () => {
  const row = beginningsOf(times(slot("09:00", "10:00"), slot("10:00", "11:00")), {
    consecutive_max: 2,
  });
  const time = { day: "2030-02-01", from: at("09:00"), to: at("10:00") };
  expect(withFrom(time, at("10:00"), row)).toEqual({ ...time, from: at("10:00"), to: at("11:00") });
  expect(withFrom({ ...time, to: at("11:00") }, at("10:00"), row).to).toBe(at("11:00"));
  expect(withFrom(time, "", row)).toEqual({ ...time, from: "", to: "" });
  expect(withDay(time, "2030-02-01")).toBe(time);
  expect(withDay(time, "2030-02-02")).toEqual({ day: "2030-02-02", from: "", to: "" });
});

test("a wish names the service that it is for, where there are some", () => {
  const range = { from: at("09:00"), to: at("09:30") };
  expect(placeOf("res_1", "Check-up", range.from, range.to)).toEqual({
    resource_id: "res_1",
    ...range,
    rate: "Check-up",
  });
  expect(placeOf("res_1", "", range.from, range.to)).toEqual({ resource_id: "res_1", ...range });
});
