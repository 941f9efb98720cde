// The state with a good connection, a broken one, and none.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Source, type Listener } from "./source";

class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static opened: Stream[] = [];
  readyState = 0;

  constructor(readonly url: URL) {
    super();
    Stream.opened.push(this);
  }

  send(name: string, data: object): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }

  lose(): void {
    this.dispatchEvent(new Event("error"));
  }

  close(): void {
    this.readyState = Stream.CLOSED;
  }
}

const RESOURCE = { id: "res_1", price: { amount: 900, currency: "EUR" }, plan: { type: "seats" } };
let taken: Record<string, { state: string }> = {};
let asked: string[] = [];
let isUp = true;

function answer(url: URL): Response {
  asked.push(url.pathname);
  if (!isUp) throw new TypeError("nobody there");
  const body = url.pathname.endsWith("/availability")
    ? { taken, pools: { floor: { capacity: 3, available: 2 } }, prices: { best: 1500 } }
    : RESOURCE;
  return new Response(JSON.stringify(body), { status: 200 });
}

function listening(): Listener & Record<string, ReturnType<typeof vi.fn>> {
  return {
    onResource: vi.fn(),
    onPrices: vi.fn(),
    onTaken: vi.fn(),
    onPools: vi.fn(),
    onChange: vi.fn(),
    onConnection: vi.fn(),
    onError: vi.fn(),
  };
}

async function started() {
  const listener = listening();
  const source = new Source(
    { base: "http://tickets.test", resource: "res_1", key: "pk_1" },
    listener,
  );
  await source.start();
  return { listener, source };
}

const last = (): Stream => {
  const stream = Stream.opened.at(-1);
  if (stream === undefined) throw new Error("no stream was opened");
  return stream;
};

beforeEach(() => {
  vi.useFakeTimers();
  taken = { A1: { state: "held" }, A2: { state: "unheard of" } };
  asked = [];
  isUp = true;
  Stream.opened = [];
  vi.stubGlobal("EventSource", Stream);
  vi.stubGlobal(
    "fetch",
    vi.fn(async (url: URL) => answer(url)),
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a source", () => {
  it("reads, then follows", async () => {
    const { listener, source } = await started();
    expect(listener.onResource).toHaveBeenCalledWith(RESOURCE, { amount: 900, currency: "EUR" });
    expect(listener.onTaken).toHaveBeenLastCalledWith({ A1: "held", A2: "booked" });
    expect(listener.onPrices).toHaveBeenLastCalledWith({ best: 1500 });
    expect(last().url.searchParams.get("key")).toBe("pk_1");
    last().send("snapshot", { taken: { A3: "booked" }, pools: {} });
    expect(listener.onTaken).toHaveBeenLastCalledWith({ A3: "booked" });
    last().send("change", { units: { A3: "free" } });
    expect(listener.onChange).toHaveBeenLastCalledWith({ A3: "free" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.length).toBe(2);
    source.stop();
    expect(last().readyState).toBe(Stream.CLOSED);
  });

  it("asks where the stream breaks again and again, and ends that when it is back", async () => {
    const { listener, source } = await started();
    for (let loss = 0; loss < 3; loss += 1) last().lose();
    await vi.advanceTimersByTimeAsync(5000);
    const polled = asked.length;
    expect(polled).toBeGreaterThanOrEqual(4);
    expect(listener.onConnection).toHaveBeenLastCalledWith(false);
    const before = Stream.opened.length;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(Stream.opened.length).toBe(before + 1);
    last().send("snapshot", { taken: {} });
    const then = asked.length;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(asked.length).toBe(then);
    source.stop();
  });

  it("asks where the stream is open and silent", async () => {
    const { source } = await started();
    last().dispatchEvent(new Event("open"));
    await vi.advanceTimersByTimeAsync(13_000);
    expect(asked.length).toBeGreaterThanOrEqual(4);
    source.stop();
  });

  it("says after a while that nothing comes, and takes it back", async () => {
    const { listener, source } = await started();
    last().send("snapshot", { taken: {} });
    isUp = false;
    last().lose();
    expect(listener.onConnection).not.toHaveBeenCalledWith(true);
    await vi.advanceTimersByTimeAsync(3000);
    expect(listener.onConnection).toHaveBeenLastCalledWith(true);
    last().send("snapshot", { taken: {} });
    expect(listener.onConnection).toHaveBeenLastCalledWith(false);
    source.stop();
  });

  it("reads the resource again when it is stale, until it can", async () => {
    const { listener, source } = await started();
    const before = Stream.opened.length;
    isUp = false;
    last().send("stale", {});
    await vi.advanceTimersByTimeAsync(100);
    expect(Stream.opened.length).toBe(before);
    isUp = true;
    await vi.advanceTimersByTimeAsync(2500);
    expect(listener.onResource).toHaveBeenCalledTimes(2);
    expect(listener.onError).not.toHaveBeenCalled();
    expect(Stream.opened.length).toBe(before + 1);
    source.stop();
  });

  it("follows nothing that was refused", async () => {
    const body = JSON.stringify({ code: "key_unknown", detail: "no such key" });
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => new Response(body, { status: 401 })),
    );
    const { listener } = await started();
    expect(listener.onError).toHaveBeenCalledExactlyOnceWith({
      code: "key_unknown",
      detail: "no such key",
    });
    expect(Stream.opened).toEqual([]);
  });

  it("is quiet when it was stopped while it read", async () => {
    const listener = listening();
    const source = new Source(
      { base: "http://tickets.test", resource: "res_1", key: "" },
      listener,
    );
    const reading = source.start();
    source.stop();
    await reading;
    expect(listener.onTaken).not.toHaveBeenCalled();
    expect(listener.onError).not.toHaveBeenCalled();
    expect(Stream.opened).toEqual([]);
  });
});
