// Waiting in line, at a room that a test makes up. The clock is not the machine's.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BespeakError } from "./problems.ts";
import type { InLine } from "./inLine.ts";
import { QueueVerbs } from "./queueVerbs.ts";
import { Transport } from "./transport.ts";

type Look = { phase?: string; seed?: string | null; front?: string; key?: string | null };

const QUEUE = { name: "general", invited: false, lost_before: "00" };
const EARLY: Look = { phase: "early", seed: null, key: null };

/** Answers one look after the other, the last for ever; `null` is no answer. */
function roomOf(...looks: (Look | null)[]) {
  const asked: string[] = [];
  let at = -1;
  const fetch = async (url: URL | Request | string, init: RequestInit = {}) => {
    init.signal?.throwIfAborted();
    const what = new URL(String(url)).pathname.split("/").at(-1) ?? "";
    asked.push(what);
    if (what === "now") at += 1;
    const look = looks[Math.min(Math.max(at, 0), looks.length - 1)] ?? null;
    if (look === null) throw new TypeError("lost");
    return answerOf(what, { phase: "open", seed: "5f", front: "01", key: "10", ...look });
  };
  const transport = new Transport(
    { url: "https://x.example", fetch, timeoutSeconds: 1 },
    { headers: () => ({}) },
  );
  return { asked, client: new QueueVerbs(transport) };
}

function answerOf(what: string, { phase, seed, front, key }: Required<Look>): Response {
  const called = key !== null && key < front;
  const turn = key === null ? "early" : called ? "called" : "waiting";
  const place = { turn, queue: "general", place_key: key, place: key && 3, ahead: key && 2 };
  if (what === "now") {
    const poll = phase === "early" ? 5 : 2;
    return Response.json({
      phase,
      seed,
      poll_seconds: poll,
      queues: [{ ...QUEUE, front, called: 0 }],
    });
  }
  if (what === "place") return Response.json(place);
  if (what === "queue-tokens") return Response.json({ queue_token: "t", place }, { status: 201 });
  if (called && phase === "open") return Response.json({ pass: "p" }, { status: 201 });
  const code = phase === "ended" ? "waiting_room_closed" : "not_your_turn";
  const problem = { type: "", title: "", status: 409, code, detail: "", retryable: true };
  return Response.json(problem, { status: 409 });
}

/** All looks, or what was thrown, when all the time that it waits for goes by. */
async function ending(looks: AsyncIterable<InLine>): Promise<InLine[] | unknown> {
  const all = (async () => {
    const found: InLine[] = [];
    for await (const look of looks) found.push(look);
    return found;
  })().catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return all;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("one is let in, after no more questions than it takes, and through an absence", async () => {
  const { client, asked } = roomOf(EARLY, EARLY, {}, null, null, {}, { front: "11" });
  const found = (await ending(client.waitInLine("wrm_1", { owner: "asha" }))) as InLine[];
  expect(found.map(({ given }) => given !== null)).toEqual([...Array(5).fill(false), true]);
  const count = (what: string) => asked.filter((one) => one === what).length;
  expect([count("queue-tokens"), count("place"), count("passes")]).toEqual([1, 2, 1]);
});

test("a draw that a process has not heard of is asked for again, one taken back is forgotten", async () => {
  const late = roomOf({ front: "11", key: null }, { front: "11" });
  await ending(late.client.waitInLine("wrm_1"));
  expect(late.asked.filter((one) => one === "place")).toHaveLength(2);
  const back = roomOf(
    {},
    EARLY,
    { seed: "6a", front: "11", key: "20" },
    { seed: "6a", front: "21", key: "20" },
  );
  const found = (await ending(back.client.waitInLine("wrm_1"))) as InLine[];
  expect(found.map(({ place }) => place.place_key)).toEqual(["10", null, "20", "20", "20"]);
  expect(back.asked.filter((one) => one === "passes")).toHaveLength(1);
});

test("it ends with its time, with the room, and with an abort", async () => {
  const late = await ending(roomOf({}).client.waitInLine("wrm_1", {}, { seconds: 30 }));
  expect(late).toMatchObject({ code: "not_your_turn" });
  const ended = await ending(roomOf({}, { phase: "ended" }).client.waitInLine("wrm_1"));
  expect(ended).toBeInstanceOf(BespeakError);
  expect(ended).toMatchObject({ code: "waiting_room_closed" });

  const { client, asked } = roomOf({});
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 7000);
  const found = await ending(client.waitInLine("wrm_1", {}, { signal: stop.signal }));
  expect((found as InLine[]).length).toBeGreaterThan(1);
  expect(asked).not.toContain("passes");
  expect(vi.getTimerCount()).toBe(0);
});
