import { expect, test, vi } from "vitest";
import { Problem, UNREACHABLE } from "~/api/client";
import { repeatUnanswered, WishKeys } from "./placeHold";

const lost = () => new Problem(0, { code: UNREACHABLE, retryable: true });
const busy = () => new Problem(503, { code: "overloaded", retryable: true });
const taken = () => new Problem(409, { code: "unit_taken", retryable: true });

test("the same wish keeps its key until it is answered", () => {
  const keys = new WishKeys();
  const first = keys.keyOf("F7 F8");
  expect(keys.keyOf("F7 F8")).toBe(first);
  expect(keys.keyOf("F7")).not.toBe(first);
  const second = keys.keyOf("F7");
  keys.answered();
  expect(keys.keyOf("F7")).not.toBe(second);
});

test("a lost answer and an overloaded server are asked again", async () => {
  const call = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(lost())
    .mockRejectedValueOnce(busy())
    .mockResolvedValueOnce("held");
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  await expect(repeatUnanswered(call, wait)).resolves.toBe("held");
  expect(waits).toEqual([400, 800]);
});

test("a refusal is an answer, though it is retryable: it is not asked again", async () => {
  const call = vi.fn<() => Promise<string>>().mockRejectedValue(taken());
  await expect(repeatUnanswered(call, async () => undefined)).rejects.toMatchObject({
    code: "unit_taken",
  });
  expect(call).toHaveBeenCalledTimes(1);
});

test("it gives up in the end, with the last failure", async () => {
  const call = vi.fn<() => Promise<string>>().mockRejectedValue(lost());
  await expect(repeatUnanswered(call, async () => undefined)).rejects.toMatchObject({
    code: UNREACHABLE,
  });
  expect(call).toHaveBeenCalledTimes(4);
});
