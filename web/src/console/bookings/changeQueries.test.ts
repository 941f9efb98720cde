// What is not known yet, or cannot be had, is not taken for nothing.
import { expect, test } from "vitest";
import type { Wanted } from "~/api/allOf";
import { contactOf } from "./changeQueries";

const refetch = () => undefined;
const known = <T>(data: T): Wanted<T> => ({ data, error: null, refetch });
const unknown = { data: undefined, error: null, refetch };

test("a contact that nobody knows is not one that is missing", () => {
  const contact = { email: "asha@example.org" };
  expect(contactOf(known({ contact })).data).toBe(contact);
  expect(contactOf(known({ contact: null })).data).toBeNull();
  expect(contactOf(known(null)).data).toBeNull();
  expect(contactOf(unknown).data).toBeUndefined();
  const error = new Error("the list failed");
  expect(contactOf({ ...unknown, error })).toMatchObject({ data: undefined, error });
});
