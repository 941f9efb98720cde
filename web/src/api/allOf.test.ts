// What is not known yet, or cannot be had, is not taken for nothing.
import { expect, test, vi } from "vitest";
import { allOf, type Wanted } from "./allOf";

const refetch = () => undefined;
const known = <T>(data: T): Wanted<T> => ({ data, error: null, refetch });
const unknown = { data: undefined, error: null, refetch };

test("several are known once each is, and what failed is asked for again", () => {
  expect(allOf([known("a"), known("b")])).toMatchObject({ data: ["a", "b"], error: null });
  expect(allOf([known("a"), unknown])).toMatchObject({ data: undefined, error: null });
  const error = new Error("no listing");
  const again = vi.fn(() => undefined);
  const none = vi.fn(() => undefined);
  const found = allOf([
    { ...known("a"), refetch: none },
    { data: undefined, error, refetch: again },
  ]);
  expect(found).toMatchObject({ data: undefined, error });
  found.refetch();
  expect([again.mock.calls.length, none.mock.calls.length]).toEqual([1, 0]);
  // What was there before it failed is still good.
  expect(allOf([{ ...known("a"), error }])).toMatchObject({ data: ["a"], error: null });
});
