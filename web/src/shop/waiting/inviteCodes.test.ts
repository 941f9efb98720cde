import { describe, expect, test } from "vitest";
import { codeOfLink, isByInvitation, queueWithout, takesCodes, withoutCode } from "./inviteCodes";

const queue = (name: string, invited = false) => ({
  name,
  invited,
  joined: 0,
  called: 0,
  waiting: 0,
  a_minute: 0,
  front: "0",
  lost_before: "0",
});
const ONE = { queues: [queue("general")] };
const TWO = { queues: [queue("club", true), queue("all")] };
const CLUB = { queues: [queue("club", true)] };

describe("who can use a code", () => {
  test("is whoever comes to a room that has more than one queue for all", () => {
    expect([ONE, TWO, CLUB].map(takesCodes)).toEqual([false, true, true]);
  });

  test("without one the first queue is joined that is for all", () => {
    expect(queueWithout(ONE, null)).toBe("general");
    expect(queueWithout(TWO, null)).toBe("all");
    expect(queueWithout(TWO, "club")).toBe("all");
    expect(queueWithout(CLUB, null)).toBeNull();
    expect(queueWithout(TWO, "nobody")).toBe("nobody");
  });

  test("a queue by invitation asks for it", () => {
    expect(isByInvitation(TWO, "club")).toBe(true);
    expect(isByInvitation(TWO, null)).toBe(false);
    expect(isByInvitation(CLUB, null)).toBe(true);
  });
});

describe("the code of a link", () => {
  const at = (address: string) => new URL(address, "https://example.org") as unknown as Location;

  test("is read from the query or the fragment, and no more of it than a code has", () => {
    expect(codeOfLink(at("/waiting/w?code=04003K-7M9P2Q"))).toBe("04003K-7M9P2Q");
    expect(codeOfLink(at("/waiting/w#code=04003K"))).toBe("04003K");
    expect(codeOfLink(at("/waiting/w?queue=all"))).toBe("");
    expect(codeOfLink(at(`/waiting/w?code=${"A".repeat(99)}`))).toHaveLength(60);
  });

  test("is taken out of the address, and nothing else is", () => {
    expect(withoutCode(at("/waiting/w?queue=all&code=X#token=Y"))).toBe(
      "/waiting/w?queue=all#token=Y",
    );
    expect(withoutCode(at("/waiting/w?code=X"))).toBe("/waiting/w");
    expect(withoutCode(at("/waiting/w?from=/shows/a#code=X"))).toBe("/waiting/w?from=/shows/a");
  });
});
