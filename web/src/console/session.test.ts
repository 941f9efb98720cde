// @vitest-environment happy-dom
// The session of a page that was loaded without a network, from the first call that is answered on.
import { beforeEach, expect, test, vi } from "vitest";
import { isBack, logOut, resume } from "./session";

const TOKEN = "csrf_of_this_session";
const SCAN = { code: "a.b.c", gate: null, resource_id: "res_kbq6mf4p", idempotency_key: "k1" };
const asked: { readonly call: string; readonly token: string | null }[] = [];
let isThere: boolean;

const SESSION = "GET /v1/console/session";
const ANSWERS: Readonly<Record<string, object>> = {
  [SESSION]: {
    scopes: ["check_in"],
    csrf_token: TOKEN,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  },
  "GET /v1/resources/res_kbq6mf4p/check-ins": { items: [], count: 0, next: null },
  "POST /v1/check-ins/batch": { items: [{ outcome: "checked_in", problem: null }] },
  "DELETE /v1/console/session": { status: "ended" },
};

beforeEach(async () => {
  vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
    const { method, url, headers } = new Request(...request);
    const call = `${method} ${new URL(url).pathname}`;
    asked.push({ call, token: headers.get("bespeak-csrf") });
    if (!isThere) throw new TypeError("no network");
    return Response.json(ANSWERS[call]);
  });
  localStorage.clear();
  localStorage.setItem("bespeak.console.open", "yes");
  const until = new Date(Date.now() + 3_600_000).toISOString();
  localStorage.setItem("bespeak.console.offline", JSON.stringify({ until, isAlone: true }));
  isThere = false;
  await resume();
  asked.length = 0;
});

test("whoever asks at once is told by one answer, also of a network that is back", async () => {
  expect(await Promise.all([isBack(), isBack()])).toEqual([false, false]);
  expect(asked).toHaveLength(1);
  isThere = true;
  expect(await Promise.all([isBack(), isBack()])).toEqual([true, true]);
  expect(asked).toHaveLength(2);
});

test("a logout without a network ends nothing", async () => {
  await expect(logOut()).rejects.toThrow();
  expect(localStorage.getItem("bespeak.console.offline")).not.toBeNull();
});

test("a logout takes the session up first, tells what waits, and then forgets", async () => {
  const scan = { ...SCAN, scanned_at: new Date().toISOString() };
  localStorage.setItem("bespeak.scan.res_kbq6mf4p.k1", JSON.stringify(scan));
  isThere = true;
  await logOut();
  expect(asked.map(({ call }) => call)).toEqual(Object.keys(ANSWERS));
  expect(asked.slice(1).map(({ token }) => token)).toEqual([TOKEN, TOKEN, TOKEN]);
  expect(localStorage).toHaveLength(0);
});
