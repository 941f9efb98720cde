import { expect, test } from "vitest";
import { unreachable } from "../../core/problems.ts";
import { isUnanswered, WishKeys } from "./wishes.ts";

const lost = async (): Promise<never> => {
  throw unreachable("lost");
};
const own = async (key: string) => key;

async function keyOfLost(keys: WishKeys, wish: string): Promise<string> {
  let used = "";
  await keys
    .carryOut(wish, async (key) => {
      used = key;
      return lost();
    })
    .catch((error: unknown) => expect(isUnanswered(error)).toBe(true));
  return used;
}

test("the same wish keeps its key until it is answered", async () => {
  const keys = new WishKeys();
  const first = await keyOfLost(keys, "F7 F8");
  expect(await keyOfLost(keys, "F7 F8")).toBe(first);
  expect(await keys.carryOut("F7 F8", own)).toBe(first);
  expect(await keys.carryOut("F7 F8", own)).not.toBe(first);
});

test("another wish has a key of its own", async () => {
  const keys = new WishKeys();
  const first = await keyOfLost(keys, "F7 F8");
  expect(await keyOfLost(keys, "F7")).not.toBe(first);
});

test("a refusal is an answer", async () => {
  const keys = new WishKeys();
  let refused = "";
  const refusal = keys.carryOut("F7", async (key) => {
    refused = key;
    throw new Error("taken");
  });
  await expect(refusal).rejects.toThrow("taken");
  expect(await keys.carryOut("F7", own)).not.toBe(refused);
});
