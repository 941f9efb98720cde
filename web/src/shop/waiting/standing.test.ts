import { expect, test } from "vitest";
import type { PlaceNow, WaitingRoomNow } from "~/api/schema";
import { stageOf } from "./stage";
import { isPlaceOld, lookAfterMs, minutesOf, standingOf } from "./standing";

type Room = Pick<WaitingRoomNow, "phase" | "queues">;
const KEY = "2ec3676742ffb24f";

function room(
  part: Partial<WaitingRoomNow["queues"][number]>,
  phase: Room["phase"] = "open",
): Room {
  const queue = {
    name: "general",
    invited: false,
    joined: 1000,
    called: 100,
    waiting: 900,
    a_minute: 60,
    front: "1000000000000000",
    lost_before: "0800000000000000",
    ...part,
  };
  return { phase, queues: [queue] };
}

const place: PlaceNow = {
  turn: "waiting",
  queue: "general",
  place_key: KEY,
  place: 401,
  ahead: 300,
  minutes: [3, 8],
  chance: 0.5,
  chances: [],
  joined_at: "2030-01-01T09:00:00Z",
};

test("whoever the front has not reached waits, behind those between", () => {
  const standing = standingOf(room({}), place);
  expect(standing).toMatchObject({ turn: "waiting", ahead: 300, minutes: [3, 8] });
  expect(standingOf(room({ called: 390, a_minute: 0 }), place)).toMatchObject({
    ahead: 10,
    minutes: null,
  });
});

test("the front itself has not been called; the key before it has, until it is lost", () => {
  expect(standingOf(room({ front: KEY }), place).turn).toBe("waiting");
  expect(standingOf(room({ front: "2ec3676742ffb250" }), place).turn).toBe("called");
  const late = { front: "3000000000000000", lost_before: "2ec3676742ffb250" };
  expect(standingOf(room(late), place).turn).toBe("lost");
  expect(standingOf(room({ ...late, lost_before: KEY }), place).turn).toBe("called");
});

test("before the opening nobody is called, whatever the keys say", () => {
  expect(standingOf(room({ front: "7fffffffffffffff" }, "early"), place).turn).toBe("early");
  expect(standingOf(room({}), { ...place, place_key: null, place: null }).turn).toBe("early");
});

test("a place is asked for again when the draw is made, the front has passed, or half have gone", () => {
  const undrawn = { ...place, turn: "early", place_key: null, place: null, ahead: null } as const;
  expect(isPlaceOld(room({}, "early"), undrawn)).toBe(false);
  expect(isPlaceOld(room({}), undrawn)).toBe(true);
  expect(isPlaceOld(room({}), place)).toBe(false);
  expect(isPlaceOld(room({ called: 250 }), place)).toBe(false);
  expect(isPlaceOld(room({ called: 251 }), place)).toBe(true);
  expect(isPlaceOld(room({ front: "7fffffffffffffff" }), place)).toBe(true);
});

test("whoever is the next asks each time, to be counted if the count was lost", () => {
  const next = { ...place, place: 101, ahead: 0 };
  expect(isPlaceOld(room({}), next)).toBe(true);
  expect(isPlaceOld(room({}, "paused"), next)).toBe(false);
  expect(isPlaceOld(room({ front: "2ec3676742ffb250" }), { ...next, turn: "called" })).toBe(false);
});

test("minutes are a range, as the server tells it", () => {
  expect(minutesOf(300, 60)).toEqual([3, 8]);
  expect(minutesOf(0, 60)).toEqual([0, 1]);
  expect(minutesOf(5, 0)).toBeNull();
});

test("nobody looks more often than told; a hidden page less, and still within the grace", () => {
  const now = { poll_seconds: 2, grace_seconds: 120 };
  expect(lookAfterMs(now, false, 0)).toBe(2000);
  expect(lookAfterMs(now, false, 1)).toBe(2600);
  expect(lookAfterMs(now, true, 0)).toBe(10_000);
  expect(lookAfterMs({ ...now, grace_seconds: 10 }, true, 0)).toBe(2500);
  expect(lookAfterMs({ poll_seconds: 60, grace_seconds: 10 }, true, 0)).toBe(60_000);
});

const of = (phase: WaitingRoomNow["phase"], draining = false) => ({ phase, draining });

test("who has not joined what is drained is told so, and nobody else is disturbed", () => {
  expect(stageOf(of("open", true), null, false)).toBe("draining");
  expect(stageOf(of("before", true), null, false)).toBe("draining");
  expect(stageOf(of("early", true), "early", false)).toBe("early");
  expect(stageOf(of("open", true), "waiting", false)).toBe("waiting");
  expect(stageOf(of("open", true), "called", false)).toBe("called");
  expect(stageOf(of("open", true), "lost", false)).toBe("lost");
  expect(stageOf(of("open", true), null, true)).toBe("inside");
});

test("the page is about one thing at a time", () => {
  expect(stageOf(of("before"), null, false)).toBe("before");
  expect(stageOf(of("early"), null, false)).toBe("join");
  expect(stageOf(of("sold_out"), null, false)).toBe("join");
  expect(stageOf(of("open"), "waiting", false)).toBe("waiting");
  expect(stageOf(of("paused"), "waiting", false)).toBe("paused");
  expect(stageOf(of("paused"), "called", false)).toBe("paused");
  expect(stageOf(of("sold_out"), "called", false)).toBe("sold_out");
  expect(stageOf(of("paused"), "lost", false)).toBe("lost");
  expect(stageOf(of("open"), "called", false)).toBe("called");
  expect(stageOf(of("open"), "called", true)).toBe("inside");
});
