// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { atServerTime, behindBy, secondsLeft, ServerClock } from "./clock.ts";

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

test("a clock that is ahead, and one that is behind, count down alike", () => {
  const serverNow = 2_000_000;
  for (const device of [serverNow - 90_000, serverNow, serverNow + 3_600_000]) {
    const behind = behindBy(serverNow, device - 100, device + 100);
    expect(secondsLeft(serverNow + 420_000, behind, device)).toBe(420);
  }
});

test("a hold tells the server's time by what it has left", () => {
  const clock = new ServerClock();
  const hold = { expires_at: new Date(500_000).toISOString(), expires_in_ms: 20_000 };
  clock.noteHold(hold, 470_000, 470_200);
  expect(clock.behindMs).toBe(480_000 - 470_100);
});

test("other answers, and holds without time left, tell nothing; jitter moves no countdown", () => {
  const clock = new ServerClock();
  const moved = vi.fn();
  clock.behind.subscribe(moved);
  const at = new Date(500_000).toISOString();
  for (const answer of [null, "text", {}, { expires_at: "soon", expires_in_ms: 5 }]) {
    clock.noteHold(answer, 0, 0);
  }
  clock.noteHold({ expires_at: at, expires_in_ms: 0 }, 0, 0);
  expect(moved).not.toHaveBeenCalled();
  clock.note(10_000, 0, 0);
  clock.note(10_200, 0, 0);
  expect(moved).toHaveBeenCalledTimes(1);
  expect(clock.behindMs).toBe(10_000);
});

test("what is due at the server's time happens then, once, and not before", () => {
  const act = vi.fn();
  atServerTime(1_100_000, 20_000, act); // the server has 1,020,000 now
  vi.advanceTimersByTime(79_999);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(act).toHaveBeenCalledTimes(1);
});

test("after a sleep it happens as soon as the page is seen", () => {
  const act = vi.fn();
  atServerTime(1_500_000, 0, act);
  vi.setSystemTime(9_000_000); // timers slept, the clock went on
  document.dispatchEvent(new Event("visibilitychange"));
  expect(act).toHaveBeenCalledTimes(1);
});

test("what is stopped does not happen", () => {
  const act = vi.fn();
  const stop = atServerTime(1_100_000, 0, act);
  stop();
  vi.advanceTimersByTime(1_000_000);
  expect(act).not.toHaveBeenCalled();
});
