// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { keepMail, keptMail } from "./turnMails";

beforeEach(() => localStorage.clear());

test("a mail is of one queue token, and of no other", () => {
  expect(keptMail("wrm_1", "a")).toBeNull();
  keepMail("wrm_1", "a", "wanted");
  expect(keptMail("wrm_1", "a")).toBe("wanted");
  expect(keptMail("wrm_1", "b")).toBeNull();
  expect(keptMail("wrm_2", "a")).toBeNull();
  keepMail("wrm_1", "a", "sent");
  expect(keptMail("wrm_1", "a")).toBe("sent");
  keepMail("wrm_1", "a", null);
  expect(keptMail("wrm_1", "a")).toBeNull();
});

test("what somebody else wrote there is none", () => {
  for (const text of ["null", "[]", "x", '{"token":"a","state":"near"}']) {
    localStorage.setItem("bespeak.turn-mail.wrm_1", text);
    expect(keptMail("wrm_1", "a")).toBeNull();
  }
});
