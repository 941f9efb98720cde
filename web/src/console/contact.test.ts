import { expect, test } from "vitest";
import { calledBy, reachedBy } from "./contact";

const PHONE = "\u2066+49 170 1\u2069";

test("somebody is called by what is known of them, and the rest stands beside", () => {
  const [name, email, phone] = ["Asha", "a@b", "+49 170 1"];
  expect(calledBy({ name, email, phone })).toBe("Asha");
  expect(reachedBy({ name, email, phone })).toBe(`a@b · ${PHONE}`);
  expect([calledBy({ email, phone }), reachedBy({ email, phone })]).toEqual(["a@b", PHONE]);
  expect([calledBy({ phone }), reachedBy({ phone })]).toEqual([PHONE, ""]);
  expect([calledBy({ name, phone }), reachedBy({ name, phone })]).toEqual(["Asha", PHONE]);
  expect([calledBy(null), reachedBy(undefined)]).toEqual([null, ""]);
});
