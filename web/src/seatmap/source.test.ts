// The state with a good connection, a broken one, and none.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Source, type Listener } from "./source";

/** A stream that the server has begun to answer. */
class Stream {
  static opened: Stream[] = [];
  static isBroken = false;
  isOpen = true;
  readonly key: string | null;
  readonly body: ReadableStream<Uint8Array>;
  #viewer: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor({ headers, signal }: RequestInit) {
    this.key = new Headers(headers).get("authorization");
    this.body = new ReadableStream({ start: (viewer) => void (this.#viewer = viewer) });
    signal?.addEventListener("abort", () => {
      this.isOpen = false;
    });
    Stream.opened.push(this);
  }

  async send(name: string, data: object): Promise<void> {
    const text = `id: 1-1\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    this.#viewer?.enqueue(new TextEncoder().encode(text));
    await vi.advanceTimersByTimeAsync(0);
  }

  async lose(): Promise<void> {
    this.#viewer?.error(new TypeError("lost"));
    await vi.advanceTimersByTimeAsync(0);
  }
}

const RESOURCE = { id: "res_1", price: { amount: 900, currency: "EUR" }, plan: { type: "seats" } };
let taken: Record<string, { state: string }> = {};
let asked: string[] = [];
let isUp = true;

function answer(url: URL, init: RequestInit): Response {
  if (url.pathname.endsWith("/stream")) {
    if (Stream.isBroken) throw new TypeError("no stream gets through");
    return new Response(new Stream(init).body);
  }
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
  await vi.advanceTimersByTimeAsync(0);
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
  Stream.isBroken = false;
  vi.stubGlobal(
    "fetch",
    vi.fn(async (url: URL, init: RequestInit) => answer(url, init)),
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
    expect(last().key).toBe("Bearer pk_1");
    await last().send("snapshot", { taken: { A3: "booked" }, pools: {} });
    expect(listener.onTaken).toHaveBeenLastCalledWith({ A3: "booked" });
    await last().send("change", { units: { A3: "free" } });
    expect(listener.onChange).toHaveBeenLastCalledWith({ A3: "free" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.length).toBe(2);
    source.stop();
    expect(last().isOpen).toBe(false);
  });

  it("asks where the stream breaks again and again, and ends that when it is back", async () => {
    const { listener, source } = await started();
    Stream.isBroken = true;
    await last().lose();
    await vi.advanceTimersByTimeAsync(6000);
    const polled = asked.length;
    expect(polled).toBeGreaterThanOrEqual(4);
    expect(listener.onConnection).toHaveBeenLastCalledWith(false);
    const before = Stream.opened.length;
    Stream.isBroken = false;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(Stream.opened.length).toBe(before + 1);
    await last().send("snapshot", { taken: {} });
    const then = asked.length;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(asked.length).toBe(then);
    source.stop();
  });

  it("asks where the stream is open and silent", async () => {
    const { source } = await started();
    await vi.advanceTimersByTimeAsync(13_000);
    expect(asked.length).toBeGreaterThanOrEqual(4);
    source.stop();
  });

  it("says after a while that nothing comes, and takes it back", async () => {
    const { listener, source } = await started();
    await last().send("snapshot", { taken: {} });
    isUp = false;
    Stream.isBroken = true;
    await last().lose();
    expect(listener.onConnection).not.toHaveBeenCalledWith(true);
    await vi.advanceTimersByTimeAsync(3000);
    expect(listener.onConnection).toHaveBeenLastCalledWith(true);
    Stream.isBroken = false;
    await vi.advanceTimersByTimeAsync(31_000);
    await last().send("snapshot", { taken: {} });
    expect(listener.onConnection).toHaveBeenLastCalledWith(false);
    source.stop();
  });

  it("reads the resource again when it is stale, until it can", async () => {
    const { listener, source } = await started();
    const before = Stream.opened.length;
    isUp = false;
    await last().send("stale", {});
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
