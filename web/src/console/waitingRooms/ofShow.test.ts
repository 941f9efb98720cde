// The waiting room of a show.
import { expect, test } from "vitest";
import type { WaitingRoom } from "~/api/schema";
import { roomOfShow } from "./ofShow";

const ROOM: WaitingRoom = {
  id: "room_1",
  name: "Premiere",
  state: "open",
  resources: ["res_1", "res_2"],
  opens_at: "2030-03-07T09:00:00Z",
  early_opens_at: "2030-03-07T09:00:00Z",
  opened_at: null,
  created_at: "2030-03-01T09:00:00Z",
  updated_at: "2030-03-01T09:00:00Z",
  early_order: "shuffle",
  pace: "stock",
  a_minute: 600,
  inside_max: 500,
  pass_seconds: 600,
  grace_seconds: 120,
  units_max: null,
  queues: [],
  message: null,
  public_value: null,
  challenge: "never",
  draining: false,
  public_value_stands: true,
  taken_back: [],
  seed: null,
  seed_hash: "",
  sold_out: false,
  joined: 0,
  let_in: 0,
  inside: 0,
  bought: 0,
  alarms: [],
  payments: "well",
  version: 1,
};

test("a show has the newest room that has not ended", () => {
  const ended = { ...ROOM, id: "room_3", state: "ended" as const };
  const older = { ...ROOM, id: "room_0" };
  expect(roomOfShow([ended, ROOM, older], "res_2")?.id).toBe("room_1");
});

test("a show that no room has, or an ended one, has none", () => {
  expect(roomOfShow([ROOM], "res_9")).toBeNull();
  expect(roomOfShow([{ ...ROOM, state: "ended" }], "res_1")).toBeNull();
  expect(roomOfShow([], "res_1")).toBeNull();
});
