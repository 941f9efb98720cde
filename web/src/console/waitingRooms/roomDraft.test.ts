import { expect, test } from "vitest";
import { momentOf, newRoomDraft, roomFaults, roomOf, speedOf, type RoomDraft } from "./roomDraft";

const NOW = Date.parse("2030-01-01T12:00:00Z");
const draft = (part: Partial<RoomDraft> = {}): RoomDraft => ({
  ...newRoomDraft(NOW),
  name: " Premiere ",
  resources: [{ id: "res_1", name: "The Lantern" }],
  ...part,
});

test("a new room opens tomorrow at nine by this device's clocks, and wants a name and a show", () => {
  const fresh = newRoomDraft(NOW);
  expect(fresh.opens).toMatch(/T09:00$/);
  expect(roomFaults(fresh)).toEqual(["name", "resources"]);
  expect(roomOf(fresh)).toBeNull();
});

test("a draft becomes what the API takes", () => {
  const made = roomOf(draft({ unitsMax: "4", message: " Soon " }));
  expect(made?.challenge).toBe("often");
  expect(made).toMatchObject({
    name: "Premiere",
    resources: ["res_1"],
    early_opens_at: null,
    early_order: "shuffle",
    pace: "stock",
    a_minute: 600,
    inside_max: 500,
    pass_seconds: 600,
    grace_seconds: 120,
    units_max: 4,
    message: "Soon",
  });
  expect(made?.opens_at).toBe(momentOf(draft().opens));
});

test.each([
  ["aMinute", "0"],
  ["aMinute", "100001"],
  ["insideMax", "a few"],
  ["passMinutes", "1441"],
  ["graceSeconds", "9"],
  ["unitsMax", "1001"],
])("the bounds of %s hold: %s", (name, text) => {
  expect(roomFaults(draft({ [name]: text }))).toEqual([name]);
  expect(speedOf(draft({ [name]: text }))).toBeNull();
});

test("the queue opens no later than the sale", () => {
  expect(roomFaults(draft({ opens: "2030-01-02T09:00", earlyOpens: "2030-01-02T09:01" }))).toEqual([
    "earlyOpens",
  ]);
  expect(roomFaults(draft({ opens: "2030-01-02T09:00", earlyOpens: "2030-01-02T08:00" }))).toEqual(
    [],
  );
  expect(roomFaults(draft({ opens: "" }))).toEqual(["opens"]);
});
