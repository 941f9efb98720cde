import { expect, test } from "vitest";
import { TokenKeeper } from "./tokens.ts";

const NOW = Date.parse("2030-01-01T12:00:00Z");

test("calls at the same time share one question, and later ones its answer", async () => {
  let asked = 0;
  const keeper = new TokenKeeper(
    async () => `token-${(asked += 1)}`,
    () => NOW,
  );
  expect(await Promise.all([keeper.token(), keeper.token()])).toEqual(["token-1", "token-1"]);
  expect(await keeper.token()).toBe("token-1");
});

test("a token is renewed before it ends, by the server's clock", async () => {
  let now = NOW;
  let asked = 0;
  const supply = async () => ({
    token: `token-${(asked += 1)}`,
    expires_at: "2030-01-01T12:10:00Z",
  });
  const keeper = new TokenKeeper(supply, () => now);
  await keeper.token();
  now += 9 * 60_000;
  expect(await keeper.token()).toBe("token-1");
  now += 45_000;
  expect(await keeper.token()).toBe("token-2");
});

test("one that was refused is asked for anew; other refusals are none of its business", async () => {
  let asked = 0;
  const keeper = new TokenKeeper(
    async () => `token-${(asked += 1)}`,
    () => NOW,
  );
  await keeper.token();
  expect(keeper.isStale({ code: "key_unknown" })).toBe(false);
  expect(await keeper.token()).toBe("token-1");
  expect(keeper.isStale({ code: "shopper_token_invalid" })).toBe(true);
  expect(await keeper.token()).toBe("token-2");
});

test("a question that failed is asked again", async () => {
  let asked = 0;
  const supply = async () => {
    asked += 1;
    if (asked === 1) throw new Error("logged out");
    return "token";
  };
  const keeper = new TokenKeeper(supply, () => NOW);
  await expect(keeper.token()).rejects.toThrow("logged out");
  expect(await keeper.token()).toBe("token");
});
