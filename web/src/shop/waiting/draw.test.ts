// The draw as Python computes it: the values are those of bespeak.admission.place_keys and queue_tokens.
import { expect, test } from "vitest";
import { checkPlace, drawOf, readQueueToken, seedHashOf } from "./draw";

const TOKEN = "AQEABmEB726GQGRlZmdoaWprbG1ub3BxcnOCXmza15wzyl59YIALGLRJ";
const SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const SEED_HASH = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
const PUBLIC_VALUE = "Höhe 42 · 0a1b";
const DRAWN = "2ec3676742ffb24f";
const LATE = "40066101ef6e8640";
const room = {
  id: "wr_vector",
  seed: SEED,
  seed_hash: SEED_HASH,
  public_value: PUBLIC_VALUE,
  taken_back: [] as { seed_hash: string; seed: string }[],
};
const subject = Uint8Array.from({ length: 16 }, (_, at) => 100 + at);

test("a token says its queue, its time and its subject", () => {
  expect(readQueueToken(TOKEN)).toEqual({ queue: 1, joinedUs: 1795510800123456n, subject });
});

test.each(["", "not a token", TOKEN.slice(4), `CQ${TOKEN.slice(2)}`])(
  "what is no token says nothing: %s",
  (text) => expect(readQueueToken(text)).toBeNull(),
);

test("the draw and the hash of the seed are those of Python", async () => {
  expect(await drawOf(SEED, PUBLIC_VALUE, room.id, subject)).toBe(DRAWN);
  expect(await seedHashOf(SEED)).toBe(SEED_HASH);
});

test("a place by the draw and one by the time are found right", async () => {
  const drawn = await checkPlace(room, TOKEN, DRAWN, [SEED_HASH]);
  expect(drawn).toEqual({ by: "draw", key: DRAWN, isSame: true, isSeedSame: true, isAnew: false });
  const late = await checkPlace(room, TOKEN, LATE, []);
  expect(late).toEqual({ by: "time", key: LATE, isSame: true, isSeedSame: true, isAnew: false });
});

test("another place, another seed and another hash are found out", async () => {
  const moved = await checkPlace(room, TOKEN, "2ec3676742ffb250", [SEED_HASH]);
  expect(moved?.isSame).toBe(false);
  const other = { ...room, seed: SEED.replace("00", "ff") };
  expect(await checkPlace(other, TOKEN, DRAWN, [SEED_HASH])).toMatchObject({
    isSame: false,
    isSeedSame: false,
  });
  // The hash was exchanged together with the seed: it is not the one that was shown before.
  const exchanged = await checkPlace(room, TOKEN, DRAWN, ["ab".repeat(32)]);
  expect(exchanged).toMatchObject({ isSame: true, isSeedSame: false });
});

test("before the opening there is nothing to check", async () => {
  expect(await checkPlace({ ...room, seed: null }, TOKEN, DRAWN, [SEED_HASH])).toBeNull();
});

test("a hash of an opening that was taken back is told from one that nobody explains", async () => {
  const first = "f".repeat(64);
  const undone = [{ seed_hash: await seedHashOf(first), seed: first }];
  const seen = [await seedHashOf(first), SEED_HASH];
  const anew = await checkPlace({ ...room, taken_back: undone }, TOKEN, DRAWN, seen);
  expect(anew).toEqual({ by: "draw", key: DRAWN, isSame: true, isSeedSame: true, isAnew: true });
  // The waiting room does not say that it was taken back, or names a seed that does not fit.
  expect((await checkPlace(room, TOKEN, DRAWN, seen))?.isSeedSame).toBe(false);
  const forged = undone.map((one) => ({ ...one, seed: SEED }));
  const claimed = await checkPlace({ ...room, taken_back: forged }, TOKEN, DRAWN, seen);
  expect(claimed).toMatchObject({ isSeedSame: false, isAnew: true });
});
