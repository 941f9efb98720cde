// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Client } from "../client.ts";
import { BespeakProvider, useAvailability, useCountdown, useLive } from "./index.ts";

const encoder = new TextEncoder();

/** A server whose only resource is followed and read; `say` tells its viewers a message. */
function server() {
  let viewers: ReadableStreamDefaultController<Uint8Array>[] = [];
  let reads = 0;
  const fetch = async (url: URL | RequestInfo, init: RequestInit = {}) => {
    if (!String(url).endsWith("/stream")) {
      reads += 1;
      return Response.json({ type: "seats", units_free: 10 - reads, taken: {} });
    }
    const body = new ReadableStream<Uint8Array>({ start: (viewer) => void viewers.push(viewer) });
    const own = viewers.at(-1);
    init.signal?.addEventListener("abort", () => {
      viewers = viewers.filter((viewer) => viewer !== own);
    });
    return new Response(body);
  };
  const say = (event: string, data: object) => {
    const text = `id: 1-1\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const viewer of viewers) viewer.enqueue(encoder.encode(text));
  };
  const client = new Client({ url: "https://tickets.example", key: "pk_1", fetch });
  return { client, say, reads: () => reads, viewers: () => viewers.length };
}

const settle = () => act(() => vi.advanceTimersByTimeAsync(0));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test("a component shows what is taken while it is there", async () => {
  const { client, say, viewers } = server();
  function Seat() {
    const { taken, unitsFree, state } = useLive("res_1");
    return <p>{`${state} ${taken["A1"] ?? "free"} ${unitsFree}`}</p>;
  }
  const shown = render(
    <BespeakProvider client={client}>
      <Seat />
    </BespeakProvider>,
  );
  await settle();
  say("snapshot", { taken: { A1: "held" }, pools: {}, units_free: 9 });
  await settle();
  expect(screen.getByText("live held 9")).toBeTruthy();
  say("change", { units: { A1: "free" }, units_free: 10 });
  await settle();
  expect(screen.getByText("live free 10")).toBeTruthy();
  shown.unmount();
  await vi.advanceTimersByTimeAsync(0);
  expect(viewers()).toBe(0);
});

test("availability is read again after changes, once for a rush of them", async () => {
  const { client, say, reads } = server();
  function Free() {
    const { availability } = useAvailability("res_1");
    return <p>{availability?.type === "seats" ? availability.units_free : "..."}</p>;
  }
  render(
    <BespeakProvider client={client}>
      <Free />
    </BespeakProvider>,
  );
  await settle();
  expect(screen.getByText("9")).toBeTruthy();
  for (let count = 0; count < 20; count += 1) say("change", { units: {}, units_free: 1 });
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.getByText("8")).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(reads()).toBe(2);
});

test("a countdown is by the server's clock, and follows what is learned of it", async () => {
  const { client } = server();
  const end = new Date(Date.now() + 90_000).toISOString();
  function Left() {
    return <p>{useCountdown(end)}</p>;
  }
  render(
    <BespeakProvider client={client}>
      <Left />
    </BespeakProvider>,
  );
  expect(screen.getByText("90")).toBeTruthy();
  act(() => client.clock.note(Date.now() + 30_000, Date.now(), Date.now()));
  expect(screen.getByText("60")).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(screen.getByText("0")).toBeTruthy();
});
