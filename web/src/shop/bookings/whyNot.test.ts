import { expect, test } from "vitest";
import { Problem } from "~/api/client";
import { whyNot } from "./whyNot";

test("why a booking is not changed has words for each reason, and for one that is new", () => {
  const why = (reason?: string, code = "booking_not_exchangeable") =>
    whyNot(new Problem(409, { code, reason }));
  for (const reason of ["checked_in", "begun", "terms", "changed", "under_way"])
    expect(why(reason)).toBe(reason);
  expect(why("else")).toBe("changed");
  expect(why()).toBe("changed");
  expect(why("terms", "unit_taken")).toBeNull();
  expect(whyNot(new Error("terms"))).toBeNull();
});
