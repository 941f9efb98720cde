// When a request is sent again, and when not. The clock is not the machine's.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BespeakError, hasCode } from "./problems.ts";
import { read, write } from "./requests.ts";
import { Transport, type Access } from "./transport.ts";

const TAKEN = { type: "", title: "", status: 409, code: "unit_taken", detail: "", retryable: true };
const BUSY = { ...TAKEN, status: 503, code: "overloaded" };

/** A server that answers these in turn, and the requests that it got. */
function serverOf(...answers: (object | Error | Response)[]) {
  const requests: { url: string; headers: Headers }[] = [];
  const fetch = async (url: URL | Request | string, init: RequestInit = {}) => {
    requests.push({ url: String(url), headers: new Headers(init.headers) });
    const answer = answers.shift() ?? new TypeError("no answer is left");
    if (answer instanceof Error) throw answer;
    if (answer instanceof Response) return answer;
    const status: unknown = Reflect.get(answer, "status");
    return Response.json(answer, { status: typeof status === "number" ? status : 200 });
  };
  return { requests, fetch };
}

function transportOf(fetch: typeof globalThis.fetch, access: Partial<Access> = {}): Transport {
  return new Transport(
    { url: "https://tickets.example/base/", fetch },
    { headers: () => ({ authorization: "Bearer sk_1" }), ...access },
  );
}

/** What comes of a call when all the time that it waits for goes by. */
async function ending<Value>(call: Promise<Value>): Promise<Value | unknown> {
  const ended = call.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return ended;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a request", () => {
  test("goes below the server's own path, with its key and its rights", async () => {
    const { fetch, requests } = serverOf({ id: "hold_1" });
    await transportOf(fetch).send(write("POST", "/v1/holds", {}, { idempotencyKey: "k" }));
    expect(requests[0]?.url).toBe("https://tickets.example/base/v1/holds");
    expect(requests[0]?.headers.get("idempotency-key")).toBe("k");
    expect(requests[0]?.headers.get("authorization")).toBe("Bearer sk_1");
  });

  test("that lost its answer goes again under the same key", async () => {
    const { fetch, requests } = serverOf(new TypeError("lost"), new TypeError("lost"), { id: "x" });
    await ending(transportOf(fetch).send(write("POST", "/v1/holds", {})));
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  });

  test("without a key is not repeated when its answer was lost", async () => {
    const { fetch, requests } = serverOf(new TypeError("lost"), { id: "x" });
    const request = { ...write("PATCH", "/v1/resources/res_1", {}), key: undefined };
    const error = await ending(transportOf(fetch).send(request));
    expect(hasCode(error, "server_unreachable")).toBe(true);
    expect(requests).toHaveLength(1);
  });

  test("that is refused is not repeated, though it may succeed later", async () => {
    const { fetch, requests } = serverOf(TAKEN, { id: "x" });
    const error = await ending(transportOf(fetch).send(write("POST", "/v1/holds", {})));
    expect(hasCode(error, "unit_taken")).toBe(true);
    expect(requests).toHaveLength(1);
  });

  test("waits for as long as the server asks", async () => {
    const busy = Response.json(BUSY, { status: 503, headers: { "retry-after": "7" } });
    const { fetch, requests } = serverOf(busy, { id: "x" });
    const sent = transportOf(fetch).send(read("/v1/holds/hold_1"));
    await vi.advanceTimersByTimeAsync(6900);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    await sent;
    expect(requests).toHaveLength(2);
  });

  test("gives up when its time is over", async () => {
    const { fetch, requests } = serverOf(...Array.from({ length: 100 }, () => ({ ...BUSY })));
    const started = performance.now();
    const error = await ending(transportOf(fetch).send(read("/x"), { timeoutSeconds: 5 }));
    expect(hasCode(error, "overloaded")).toBe(true);
    expect(performance.now() - started).toBeLessThan(5100);
    expect(requests.length).toBeGreaterThan(3);
  });

  test("about a hold gives up at the hold's end", async () => {
    const held = { id: "hold_1", expires_in_ms: 3000 };
    const { fetch, requests } = serverOf(held, ...Array.from({ length: 99 }, () => ({ ...BUSY })));
    const transport = transportOf(fetch);
    await transport.send(write("POST", "/v1/holds", {}));
    const started = performance.now();
    await ending(transport.send({ ...write("POST", "/v1/bookings", {}), holdId: "hold_1" }));
    expect(performance.now() - started).toBeLessThan(3100);
    expect(requests.length).toBeGreaterThan(2);
  });

  test("may have all the time that there is", async () => {
    const { fetch } = serverOf({ ...BUSY }, { id: "x" });
    const sent = transportOf(fetch).send(read("/x"), { timeoutSeconds: Infinity });
    expect(await ending(sent)).toMatchObject({ body: { id: "x" } });
  });

  test("ends with the reason of an abort, also while it waits", async () => {
    const { fetch, requests } = serverOf({ ...BUSY }, { id: "x" });
    const leaving = new AbortController();
    const sent = transportOf(fetch).send(read("/x"), { signal: leaving.signal });
    const ended = sent.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10);
    leaving.abort(new Error("left"));
    expect(await ended).toEqual(new Error("left"));
    expect(requests).toHaveLength(1);
  });

  test("that is asked for a challenge goes once more with its answer, and only once", async () => {
    const asked = { ...TAKEN, status: 403, code: "challenge_required", retryable: false };
    const { fetch, requests } = serverOf(asked, asked, { id: "x" });
    const headersAfter = async () => ({ "bespeak-challenge": "solved" });
    const error = await ending(transportOf(fetch, { headersAfter }).send(write("POST", "/x")));
    expect(hasCode(error, "challenge_required")).toBe(true);
    expect(requests.map(({ headers }) => headers.get("bespeak-challenge"))).toEqual([
      null,
      "solved",
    ]);
    expect(new Set(requests.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  });

  const LOST = new TypeError("lost on the way");
  test.each([
    ["lost with its answer", LOST],
    ["put off after it", { ...BUSY }],
  ])("that was %s goes with another, since each is good once", async (_, ended) => {
    const asked = { ...TAKEN, status: 403, code: "challenge_required", retryable: false };
    const { fetch, requests } = serverOf(asked, ended, asked, { id: "x" });
    let solved = 0;
    const headersAfter = async (error: BespeakError) =>
      hasCode(error, "challenge_required") ? { "bespeak-challenge": `${++solved}` } : null;
    const sent = transportOf(fetch, { headersAfter }).send(write("POST", "/x"));
    expect(await ending(sent)).toMatchObject({ body: { id: "x" } });
    expect(requests.map(({ headers }) => headers.get("bespeak-challenge"))).toEqual([
      null,
      "1",
      "1",
      "2",
    ]);
  });

  test("with old rights goes once more with new ones, and only once", async () => {
    const old = { ...TAKEN, status: 401, code: "shopper_token_invalid", retryable: false };
    const { fetch, requests } = serverOf(old, old, { id: "x" });
    const error = await ending(
      transportOf(fetch, { isRenewed: async () => true }).send(read("/x")),
    );
    expect(hasCode(error, "shopper_token_invalid")).toBe(true);
    expect(requests).toHaveLength(2);
  });
});

describe("an answer", () => {
  test("says whether it is that of an earlier request", async () => {
    const again = Response.json({ id: "x" }, { headers: { "idempotent-replayed": "true" } });
    const { fetch } = serverOf(again);
    expect((await transportOf(fetch).send(write("POST", "/x"))).isReplayed).toBe(true);
  });

  test("that is none of Bespeak's is no refusal", async () => {
    const page = () => new Response("<h1>Bad gateway</h1>", { status: 502 });
    const { fetch } = serverOf(page(), page(), { id: "x" });
    const sent = await ending(transportOf(fetch).send(read("/x")));
    expect(sent).toMatchObject({ body: { id: "x" } });
  });

  test("has what its code brings along", async () => {
    const { fetch } = serverOf({ ...TAKEN, conflicts: [{ unit: "F7", state: "held" }] });
    const error = await ending(transportOf(fetch).send(write("POST", "/x")));
    if (!hasCode(error, "unit_taken")) throw error;
    expect(error.problem.conflicts[0]?.unit).toBe("F7");
    expect(error).toBeInstanceOf(BespeakError);
  });
});

test("an owner beyond ASCII goes as bytes, and one with a line break does not go", async () => {
  const { fetch, requests } = serverOf({ id: "x" });
  const transport = transportOf(fetch);
  await transport.send(read("/x"), { owner: "müller" });
  expect(requests[0]?.headers.get("bespeak-owner")).toBe("mÃ¼ller");
  const error = await ending(transport.send(read("/x"), { owner: "a\r\nb" }));
  expect(hasCode(error, "invalid_request")).toBe(true);
  expect(requests).toHaveLength(1);
});
