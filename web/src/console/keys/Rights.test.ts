import { expect, test } from "vitest";
import { areRights, rightsOf, rightsTyped } from "./Rights";

const NO_RIGHTS = rightsTyped({ scopes: "", where: "", until: "" });

test("a restricted key is bound to resources or to a place", () => {
  const scopes = ["read", "check_in"] as const;
  const bound = { ...NO_RIGHTS, scopes, where: "res_aaaaaaaa, res_bbbbbbbb" };
  expect(rightsOf("restricted", bound)).toEqual({
    scopes: ["read", "check_in"],
    resources: ["res_aaaaaaaa", "res_bbbbbbbb"],
  });
  expect(rightsOf("restricted", { ...bound, where: " gym/wall_1 " })).toEqual({
    scopes: ["read", "check_in"],
    place: "gym/wall_1",
  });
  expect(rightsOf("restricted", { ...bound, where: " " })).toEqual({ scopes: [...scopes] });
});

test("a preset has only an end", () => {
  const rights = { scopes: ["read"] as const, where: "res_aaaaaaaa", until: "2030-01-02" };
  expect(rightsOf("secret", rights)).toEqual({
    expires_at: new Date("2030-01-02T00:00").toISOString(),
  });
});

test("a restricted key needs scopes, and bounds that can be", () => {
  const scopes = ["read"] as const;
  expect(areRights("restricted", NO_RIGHTS)).toBe(false);
  expect(areRights("restricted", { ...NO_RIGHTS, scopes })).toBe(true);
  expect(areRights("restricted", { ...NO_RIGHTS, scopes, where: "gym/a gym/b" })).toBe(false);
  expect(areRights("secret", NO_RIGHTS)).toBe(true);
});

test("scopes are read from one text, and what is none is left out", () => {
  const typed = { scopes: "sell nonsense read", where: "gym/a", until: "2030-01-02" };
  expect(rightsTyped(typed)).toEqual({ ...typed, scopes: ["read", "sell"] });
});
