import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { workOf } from "./challenge";
import { solve } from "./proofOfWork";

const zeroBits = (text: string) => {
  const digest = createHash("sha256").update(text).digest("hex");
  return BigInt(`0x1${digest}`).toString(2).slice(1).indexOf("1");
};

describe("the proof of work", () => {
  test("each number has the zero bits that were asked for", () => {
    const answer = solve({ token: "a.b.c", parts: 8, bits: 9 });
    const [token, numbers] = [answer.slice(0, 5), answer.slice(6).split(".")];
    expect(token).toBe("a.b.c");
    expect(numbers).toHaveLength(8);
    for (const [part, number] of numbers.entries())
      expect(zeroBits(`${token}:${part}:${number}`)).toBeGreaterThanOrEqual(9);
  });

  test("no work is taken on that never ends, or that is of another kind", () => {
    const work = { token: "a", parts: 8, bits: 12 };
    expect(workOf({ kind: "proof_of_work", ...work })).toEqual(work);
    expect(workOf({ kind: "proof_of_work", ...work, bits: 40 })).toBeNull();
    expect(workOf({ kind: "turnstile", ...work })).toBeNull();
    expect(workOf(null)).toBeNull();
  });
});
