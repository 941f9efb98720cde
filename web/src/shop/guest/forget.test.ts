// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { createApi } from "~/api/client";
import { clearStored, forgetMe } from "./forget";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test("what the shop stored goes, and what is an operator's or the device's stays", () => {
  const goes = ["contact", "city", "attempt.hold_1", "scroll", "booking_links", "waitlist_links"];
  const stays = ["theme", "locale", "editor.draft", "console.open"];
  for (const name of [...goes, ...stays]) localStorage.setItem(`bespeak.${name}`, "1");
  sessionStorage.setItem("bespeak.attempt.hold_2", "1");
  localStorage.setItem("another site's", "1");
  clearStored();
  const left = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at));
  const wanted = [...stays.map((name) => `bespeak.${name}`), "another site's"];
  expect(left.toSorted()).toEqual(wanted.toSorted());
  expect(sessionStorage.length).toBe(0);
});

test("the holds are released before the visitor is nobody, whatever becomes of one", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: URL, init: RequestInit) => {
    asked.push(`${init.method} ${new URL(url).pathname}`);
    const isHeld = String(url).endsWith("hold_1");
    const body = { code: "payment_in_progress", detail: "It is being paid for", status: 409 };
    return isHeld ? Response.json(body, { status: 409 }) : Response.json({ status: "forgotten" });
  });
  localStorage.setItem("bespeak.contact", "{}");
  await forgetMe(
    createApi(() => ({})),
    [{ id: "hold_1" }, { id: "hold_2" }],
  );
  vi.unstubAllGlobals();
  expect(asked.slice(0, 2).toSorted()).toEqual([
    "DELETE /v1/holds/hold_1",
    "DELETE /v1/holds/hold_2",
  ]);
  const rest = ["DELETE /v1/box-office/account", "DELETE /v1/box-office/session"];
  expect(asked.slice(2).toSorted()).toEqual(rest);
  expect(localStorage.getItem("bespeak.contact")).toBeNull();
});
