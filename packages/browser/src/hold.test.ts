// A hold from the wish to its end, on a device whose clock is wrong. The clock is not the machine's.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Hold } from "../../core/schemas.ts";
import { Client } from "./client.ts";
import { secondsLeft } from "./clock.ts";
import { HoldStore } from "./hold.ts";

const SERVER_NOW = Date.parse("2030-01-01T12:00:00Z");
/** This device is five minutes ahead. */
const AHEAD_MS = 300_000;
const LINES = [{ resource_id: "res_00000001", unit: "F7" }];

type Request = { method: string; path: string; key: string | null; pass: string | null };
type Answerer = (request: Request) => object | null;

const serverNow = () => Date.now() - AHEAD_MS;

function holdOf(more: Partial<Hold> = {}): Hold {
  const endsAt = Date.parse(more.expires_at ?? "") || serverNow() + 600_000;
  return {
    id: "hold_1",
    owner: "asha",
    state: "held",
    lines: LINES,
    missing: [],
    amount: { amount: 0, currency: "EUR" },
    quote: null,
    created_at: new Date(SERVER_NOW).toISOString(),
    ended_at: null,
    expires_at: new Date(endsAt).toISOString(),
    extends_until: new Date(SERVER_NOW + 1_800_000).toISOString(),
    expires_in_ms: Math.max(0, endsAt - serverNow()),
    ...more,
  };
}

/** A client whose server answers so; `null` loses the answer. */
function clientOf(answer: Answerer) {
  const requests: Request[] = [];
  const fetch = async (url: URL | RequestInfo, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    const method = init.method ?? "GET";
    const request = {
      method,
      path: new URL(String(url)).pathname,
      key: headers.get("idempotency-key"),
      pass: headers.get("bespeak-pass"),
    };
    requests.push(request);
    const body = answer(request);
    if (body === null) throw new TypeError("lost");
    const status: unknown = Reflect.get(body, "status");
    return Response.json(body, { status: typeof status === "number" ? status : 200 });
  };
  const client = new Client({
    url: "https://tickets.example",
    key: "pk_1",
    fetch,
    timeoutSeconds: 2,
  });
  return { client, requests };
}

const problem = (status: number, code: string) => ({ status, code, detail: "", retryable: true });

beforeEach(() => {
  vi.useFakeTimers({ now: SERVER_NOW + AHEAD_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

test("it is held, counts down by the server's clock, and ends with the server's word", async () => {
  let state: Hold["state"] = "held";
  const { client } = clientOf(() => holdOf({ state, expires_at: "2030-01-01T12:10:00Z" }));
  const store = new HoldStore(client);
  const phases: string[] = [];
  store.subscribe(() => phases.push(store.get().phase));
  await store.place(LINES);
  expect(client.clock.behindMs).toBe(-AHEAD_MS);
  expect(secondsLeft(Date.parse("2030-01-01T12:10:00Z"), client.clock.behindMs)).toBe(600);
  await vi.advanceTimersByTimeAsync(599_000);
  expect(store.get().phase).toBe("held");
  state = "expired";
  await vi.advanceTimersByTimeAsync(1500);
  expect(store.get()).toMatchObject({ phase: "ended", how: "expired" });
  expect(phases).toEqual(["placing", "held", "ended"]);
});

test("when nobody answers at its end, it is over all the same", async () => {
  let isAway = false;
  const { client } = clientOf(() =>
    isAway ? null : holdOf({ expires_at: "2030-01-01T12:10:00Z" }),
  );
  const store = new HoldStore(client);
  await store.place(LINES);
  isAway = true;
  await vi.advanceTimersByTimeAsync(620_000);
  expect(store.get()).toMatchObject({ phase: "ended", how: "over" });
});

test("one that another page extended goes on", async () => {
  let end = "2030-01-01T12:10:00Z";
  const { client } = clientOf(() => holdOf({ expires_at: end }));
  const store = new HoldStore(client);
  await store.place(LINES);
  end = "2030-01-01T12:20:00Z";
  await vi.advanceTimersByTimeAsync(601_000);
  expect(store.get().phase).toBe("held");
  expect(store.get().hold?.expires_at).toBe("2030-01-01T12:20:00Z");
});

test("a wish whose answer never came keeps its key; a refused one does not", async () => {
  let isAway = true;
  const { client, requests } = clientOf(() => (isAway ? null : problem(409, "unit_taken")));
  const store = new HoldStore(client);
  const first = store.place(LINES);
  await vi.advanceTimersByTimeAsync(10_000);
  await first;
  expect(store.get()).toMatchObject({ phase: "none", error: { code: "server_unreachable" } });
  isAway = false;
  const lost = requests.length;
  expect(lost).toBeGreaterThan(1);
  await store.place(LINES);
  expect(new Set(requests.map(({ key }) => key)).size).toBe(1);
  await store.place(LINES);
  expect(new Set(requests.map(({ key }) => key)).size).toBe(2);
  expect(store.get()).toMatchObject({ phase: "none", error: { code: "unit_taken" } });
});

test("an extension that is refused leaves the hold, with the error", async () => {
  const { client } = clientOf(({ path }) =>
    path.endsWith("/extend") ? problem(409, "extension_beyond_cap") : holdOf(),
  );
  const store = new HoldStore(client);
  await store.place(LINES);
  await store.extend();
  expect(store.get()).toMatchObject({ phase: "held", error: { code: "extension_beyond_cap" } });
});

test("released, it is over; closed, nothing looks at the clock any more", async () => {
  const { client, requests } = clientOf(({ method }) =>
    holdOf({ state: method === "DELETE" ? "released" : "held" }),
  );
  const store = new HoldStore(client);
  await store.resume("hold_1");
  await store.release();
  expect(store.get()).toMatchObject({ phase: "ended", how: "released" });
  await store.resume("hold_1");
  store.close();
  const asked = requests.length;
  await vi.advanceTimersByTimeAsync(1_000_000);
  expect(requests).toHaveLength(asked);
});

test("behind a waiting room a hold goes with the pass", async () => {
  const { client, requests } = clientOf(() => holdOf());
  const hold = new HoldStore(client);
  expect(await hold.place(LINES, {}, { pass: "a.b.c" })).toMatchObject({ id: "hold_1" });
  expect(requests.map(({ pass }) => pass)).toEqual(["a.b.c"]);
  hold.close();
});
