// A live stream over breaks, silence and refusals. The clock is not the machine's.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followLive, type LiveListener } from "./live.ts";

const SNAPSHOT = { resource_id: "res_1", taken: { A1: "held" }, units_free: 3 };

type Stream = { say: (text: string) => void; end: () => void };

/** A server of streams: those that were opened, and with which cursor. */
function streams(refusal?: object) {
  const opened: Stream[] = [];
  const cursors: (string | null)[] = [];
  const fetch = async (_url: URL | Request | string, init: RequestInit = {}) => {
    cursors.push(new Headers(init.headers).get("last-event-id"));
    if (refusal !== undefined) return Response.json(refusal, { status: 404 });
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = controller;
      },
    });
    init.signal?.addEventListener("abort", () => stream?.error(new Error("aborted")));
    const say = (text: string) => stream?.enqueue(new TextEncoder().encode(text));
    opened.push({ say, end: () => stream?.close() });
    return new Response(body);
  };
  const source = { url: "https://tickets.example", fetch };
  return { opened, cursors, source };
}

function told() {
  const found: unknown[] = [];
  const listener: LiveListener = {
    onSnapshot: (snapshot) => found.push(["snapshot", snapshot.units_free]),
    onChange: (change) => found.push(["change", change.units]),
    onStale: () => found.push("stale"),
    onState: (state) => found.push(state),
    onError: (error) => found.push(error.code),
  };
  return { found, listener };
}

const message = (id: string, event: string, data: object) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("what is said comes in order, wherever the bytes are cut", async () => {
  const { opened, source } = streams();
  const { found, listener } = told();
  const end = followLive(source, "res_1", listener);
  await vi.advanceTimersByTimeAsync(0);
  const text =
    message("1-1", "snapshot", SNAPSHOT) + message("1-2", "change", { units: { A1: "free" } });
  for (const letter of `retry: 2000\n\n: \n\n${text}`) opened[0]?.say(letter);
  await vi.advanceTimersByTimeAsync(0);
  expect(found).toEqual(["connecting", "live", ["snapshot", 3], ["change", { A1: "free" }]]);
  end();
});

test("after a break it goes on where it was, and pauses grow", async () => {
  const { opened, cursors, source } = streams();
  const { listener } = told();
  const end = followLive(source, "res_1", listener);
  await vi.advanceTimersByTimeAsync(0);
  opened[0]?.say(message("1-1", "snapshot", SNAPSHOT));
  await vi.advanceTimersByTimeAsync(0);
  opened[0]?.end();
  await vi.advanceTimersByTimeAsync(1000);
  expect(cursors).toEqual([null, "1-1"]);
  opened[1]?.end();
  await vi.advanceTimersByTimeAsync(900);
  expect(opened).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1100);
  expect(opened).toHaveLength(3);
  end();
});

test("a stream that is silent for longer than a heartbeat is opened anew", async () => {
  const { opened, source } = streams();
  const { found, listener } = told();
  const end = followLive(source, "res_1", listener);
  await vi.advanceTimersByTimeAsync(39_000);
  opened[0]?.say(": \n\n");
  await vi.advanceTimersByTimeAsync(39_000);
  expect(opened).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(3000);
  expect(opened).toHaveLength(2);
  expect(found).toEqual(["connecting", "live", "lost", "connecting", "live"]);
  end();
});

test("a refusal that will be one again ends it", async () => {
  const refusal = { status: 404, code: "resource_not_found", detail: "", retryable: false };
  const { cursors, source } = streams(refusal);
  const { found, listener } = told();
  followLive(source, "res_1", listener);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(cursors).toHaveLength(1);
  expect(found).toEqual(["connecting", "lost", "resource_not_found"]);
});

test("who ends it hears nothing more", async () => {
  const { opened, source } = streams();
  const { found, listener } = told();
  const end = followLive(source, "res_1", listener);
  await vi.advanceTimersByTimeAsync(0);
  end();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(found).toEqual(["connecting", "live"]);
  expect(opened).toHaveLength(1);
});
