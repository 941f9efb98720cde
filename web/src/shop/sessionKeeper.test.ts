// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Problem } from "~/api/client";
import { SessionKeeper, takeLink, type OpenedSession } from "./sessionKeeper";

const opened = (token: string): OpenedSession => ({
  behindMs: 0,
  session: {
    publishable_key: "pk_1",
    shopper_token: token,
    expires_at: "2026-11-21T16:00:00Z",
    owner: "guest_1",
    now: "2026-11-21T12:00:00Z",
    demo: false,
    sandbox: true,
    verticals: [],
    locales: ["en"],
  },
});

const requests: Request[] = [];
const answers: Response[] = [];

beforeEach(() => {
  sessionStorage.clear();
  requests.length = 0;
  vi.stubGlobal("fetch", async (url: URL, init: RequestInit) => {
    requests.push(new Request(url, init));
    return answers.shift() ?? Response.json({ items: [], next: null });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  history.replaceState(null, "", "/");
});

const refusal = (code: string) => Response.json({ code, detail: code }, { status: 401 });
const readHolds = (keeper: SessionKeeper) => keeper.api.GET("/v1/holds");

test("a call carries the session's key and token", async () => {
  const keeper = new SessionKeeper(
    () => undefined,
    async () => opened("one"),
    null,
  );
  await keeper.renew();
  await readHolds(keeper);
  expect(requests[0]?.headers.get("authorization")).toBe("Bearer pk_1");
  expect(requests[0]?.headers.get("bespeak-shopper")).toBe("one");
});

test("a token that is over is renewed once, and the call repeated with the new one", async () => {
  const open = vi.fn(async () => opened("two")).mockResolvedValueOnce(opened("one"));
  const keeper = new SessionKeeper(() => undefined, open, null);
  await keeper.renew();
  answers.push(refusal("shopper_token_invalid"));
  await readHolds(keeper);
  expect(requests.map((one) => one.headers.get("bespeak-shopper"))).toEqual(["one", "two"]);
});

test("it does not go on for ever where every token is refused", async () => {
  const open = vi.fn(async () => opened("one"));
  const keeper = new SessionKeeper(() => undefined, open, null);
  await keeper.renew();
  answers.push(refusal("shopper_token_invalid"), refusal("shopper_token_invalid"));
  await expect(readHolds(keeper)).rejects.toMatchObject({ code: "shopper_token_invalid" });
  expect(open).toHaveBeenCalledTimes(2);
});

test("many calls that are refused at once share one renewal", async () => {
  const open = vi.fn(async () => opened("two")).mockResolvedValueOnce(opened("one"));
  const keeper = new SessionKeeper(() => undefined, open, null);
  await keeper.renew();
  answers.push(refusal("key_unknown"), refusal("key_unknown"), refusal("key_unknown"));
  await Promise.all([readHolds(keeper), readHolds(keeper), readHolds(keeper)]);
  expect(open).toHaveBeenCalledTimes(2);
});

test("other refusals are the page's to show", async () => {
  const open = vi.fn(async () => opened("one"));
  const keeper = new SessionKeeper(() => undefined, open, null);
  await keeper.renew();
  answers.push(Response.json({ code: "not_owner" }, { status: 403 }));
  await expect(readHolds(keeper)).rejects.toMatchObject({ code: "not_owner" });
  expect(open).toHaveBeenCalledTimes(1);
});

test("an old link of a mail makes a guest like any other", async () => {
  const links: (string | null)[] = [];
  const open = async (link: string | null) => {
    links.push(link);
    if (link !== null) throw new Problem(401, { code: "booking_link_invalid" });
    return opened("one");
  };
  const keeper = new SessionKeeper(() => undefined, open, "old");
  await keeper.renew();
  await keeper.renew();
  expect(links).toEqual(["old", null, null]);
});

test("a mail's token leaves the address, and a reload still has it", () => {
  history.replaceState(null, "", "/bookings/bkg_1#token=secret");
  expect(takeLink()).toBe("secret");
  expect(globalThis.location.href).not.toContain("secret");
  expect(takeLink()).toBe("secret");
  history.replaceState(null, "", "/");
  expect(takeLink()).toBeNull();
});
