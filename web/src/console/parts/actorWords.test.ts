// What an actor is called.
import { describe, expect, it } from "vitest";
import { actorWords } from "./actorWords";

const NAMES = new Map([["key_1", "box office"]]);

describe("an actor", () => {
  it("is a key by its name, or by its id where that is not known", () => {
    expect(actorWords("key_1", NAMES)).toEqual({ who: "named", name: "\u2068box office\u2069" });
    expect(actorWords("key_2", NAMES).name).toBe("\u2068key_2\u2069");
    expect(actorWords("key_1", undefined).name).toBe("\u2068key_1\u2069");
  });

  it("has words of its own where it is no key", () => {
    for (const who of ["shopper", "sweeper", "system", "cli"] as const) {
      expect(actorWords(who, NAMES)).toEqual({ who, name: "" });
    }
    expect(actorWords("provider:stripe", NAMES)).toEqual({
      who: "provider",
      name: "\u2068stripe\u2069",
    });
  });

  it("is whatever a program said", () => {
    expect(actorWords("till-3", NAMES)).toEqual({ who: "named", name: "\u2068till-3\u2069" });
  });
});
