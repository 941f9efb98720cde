// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { entryLinks } from "./waitlist/links";
import { openSession, SessionKeeper, type OpenedSession } from "./sessionKeeper";

const opened = (token: string): OpenedSession => ({
  behindMs: 0,
  session: {
    publishable_key: "pk_1",
    shopper_token: token,
    expires_at: "2026-11-21T16:00:00Z",
    owner: "guest_1",
    now: "2026-11-21T12:00:00Z",
    demo: false,
    payment_form: null,
    verticals: [],
    imports: [],
    locales: ["en"],
    merchant: null,
    map_tiles: null,
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
  );
  await keeper.renew();
  await readHolds(keeper);
  expect(requests[0]?.headers.get("authorization")).toBe("Bearer pk_1");
  expect(requests[0]?.headers.get("bespeak-shopper")).toBe("one");
});

test("the first session of a page is the one that its head has asked for", async () => {
  const { session } = opened("one");
  const now = Date.parse(session.now);
  const answer = Promise.resolve(Response.json(session));
  globalThis.bespeakSession = { sentMs: now - 3000, cameMs: now - 1000, answer };
  expect(await openSession()).toEqual({ session, behindMs: 2000 });
  expect(requests).toEqual([]);
  answers.push(Response.json(opened("two").session));
  expect((await openSession()).session.shopper_token).toBe("two");
  expect(requests.map(({ method }) => method)).toEqual(["POST"]);
});

test("one that was refused says why, and the next asks anew", async () => {
  const answer = Promise.resolve(refusal("origin_not_allowed"));
  globalThis.bespeakSession = { sentMs: 0, cameMs: 0, answer };
  await expect(openSession()).rejects.toMatchObject({ code: "origin_not_allowed" });
  answers.push(Response.json(opened("two").session));
  expect((await openSession()).session.shopper_token).toBe("two");
});

test("a token that is over is renewed once, and the call repeated with the new one", async () => {
  const open = vi.fn(async () => opened("two")).mockResolvedValueOnce(opened("one"));
  const keeper = new SessionKeeper(() => undefined, open);
  await keeper.renew();
  answers.push(refusal("shopper_token_invalid"));
  await readHolds(keeper);
  expect(requests.map((one) => one.headers.get("bespeak-shopper"))).toEqual(["one", "two"]);
});

test("it does not go on for ever where every token is refused", async () => {
  const open = vi.fn(async () => opened("one"));
  const keeper = new SessionKeeper(() => undefined, open);
  await keeper.renew();
  answers.push(refusal("shopper_token_invalid"), refusal("shopper_token_invalid"));
  await expect(readHolds(keeper)).rejects.toMatchObject({ code: "shopper_token_invalid" });
  expect(open).toHaveBeenCalledTimes(2);
});

test("many calls that are refused at once share one renewal", async () => {
  const open = vi.fn(async () => opened("two")).mockResolvedValueOnce(opened("one"));
  const keeper = new SessionKeeper(() => undefined, open);
  await keeper.renew();
  answers.push(refusal("key_unknown"), refusal("key_unknown"), refusal("key_unknown"));
  await Promise.all([readHolds(keeper), readHolds(keeper), readHolds(keeper)]);
  expect(open).toHaveBeenCalledTimes(2);
});

test("other refusals are the page's to show", async () => {
  const open = vi.fn(async () => opened("one"));
  const keeper = new SessionKeeper(() => undefined, open);
  await keeper.renew();
  answers.push(Response.json({ code: "not_owner" }, { status: 403 }));
  await expect(readHolds(keeper)).rejects.toMatchObject({ code: "not_owner" });
  expect(open).toHaveBeenCalledTimes(1);
});

test("a link goes along on its booking's page, and one that is over is left out", async () => {
  history.replaceState(null, "", "/bookings/bkg_1#token=secret");
  const keeper = new SessionKeeper(
    () => undefined,
    async () => opened("one"),
  );
  await keeper.renew();
  answers.push(refusal("booking_link_invalid"));
  await keeper.api.GET("/v1/bookings/{booking_id}", { path: { booking_id: "bkg_1" } });
  expect(requests.map((one) => one.headers.get("bespeak-booking-link"))).toEqual(["secret", null]);
});

test("so does the link of an entry of a waitlist, on its page and at the checkout of what it took up", async () => {
  history.replaceState(null, "", "/waitlist/wle_1#token=secret&do=decline");
  const keeper = new SessionKeeper(
    () => undefined,
    async () => opened("one"),
  );
  expect(globalThis.location.hash).toBe("#do=decline");
  await keeper.renew();
  entryLinks.keep([["hold_1", "secret"]]);
  for (const path of [
    "/waitlist/wle_1",
    "/checkout/hold_1",
    "/waitlist/wle_2",
    "/bookings/bkg_1",
  ]) {
    history.replaceState(null, "", path);
    answers.push(Response.json({ items: [] }));
    await readHolds(keeper);
  }
  expect(requests.map((one) => one.headers.get("bespeak-waitlist-link"))).toEqual([
    "secret",
    "secret",
    null,
    null,
  ]);
});
