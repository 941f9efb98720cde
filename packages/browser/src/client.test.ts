import { expect, test } from "vitest";
import { Client } from "./client.ts";

function served() {
  const seen: Headers[] = [];
  const fetch = async (_: URL | Request | string, init: RequestInit = {}) => {
    seen.push(new Headers(init.headers));
    return Response.json({ id: "wle_1", state: "waiting" });
  };
  return { seen, fetch };
}

test("the link of a waitlist's mail goes with each call, with the visitor's token or without", async () => {
  const { seen, fetch } = served();
  const options = { url: "https://tickets.example", key: "pk_1", fetch };
  await new Client({ ...options, waitlistLink: "a.b.c" }).getWaitlistEntry("wle_1");
  const token = async () => "shopper";
  await new Client({ ...options, token, waitlistLink: "a.b.c" }).getWaitlistEntry("wle_1");
  await new Client({ ...options, token }).getWaitlistEntry("wle_1");
  expect(seen.map((headers) => headers.get("bespeak-waitlist-link"))).toEqual([
    "a.b.c",
    "a.b.c",
    null,
  ]);
  expect(seen.map((headers) => headers.get("bespeak-shopper"))).toEqual([
    null,
    "shopper",
    "shopper",
  ]);
});

test("what can be no link is refused at once", () => {
  const options = { url: "https://tickets.example", key: "pk_1" };
  for (const waitlistLink of ["", "a".repeat(1001), "two\nlines"]) {
    expect(() => new Client({ ...options, waitlistLink })).toThrow("waitlist_link");
  }
});
