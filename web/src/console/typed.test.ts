// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { dropAllTyped, dropTyped, keepTyped, keptTyped } from "./typed";

beforeEach(() => sessionStorage.clear());

test("what was typed is there for who typed it, form by form", () => {
  keepTyped("key", "opr_1", { name: "Door" });
  keepTyped("operator", "opr_1", { name: "Asha" });
  expect(keptTyped("key", "opr_1")).toMatchObject({ name: "Door" });
  dropTyped("key");
  expect(keptTyped("key", "opr_1")).toBeNull();
  expect(keptTyped("operator", "opr_1")).toMatchObject({ name: "Asha" });
});

test("what somebody else typed is forgotten", () => {
  keepTyped("key", "opr_1", { name: "Door" });
  expect(keptTyped("key", "opr_2")).toBeNull();
  expect(keptTyped("key", "opr_1")).toBeNull();
});

test("nothing is left for who comes next, and nothing else is taken", () => {
  keepTyped("key", "opr_1", { name: "Door" });
  keepTyped("operator", "opr_1", { name: "Asha" });
  sessionStorage.setItem("other", "stays");
  dropAllTyped();
  expect(Object.entries(sessionStorage)).toEqual([["other", "stays"]]);
});
