// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { clearStored } from "./guest/forget";
import {
  dropPass,
  keepPass,
  keptPasses,
  noteRefusal,
  onPassNeeded,
  passHeaders,
  watchPasses,
  type KeptPass,
} from "./passes";
import {
  keepToken,
  keptToken,
  knownRoomOf,
  linkWith,
  pathBack,
  takeTokenOfLink,
} from "./waiting/keptTokens";

const TOKEN = "AQEABmEB726GQGRlZmdoaWprbG1ub3BxcnOCXmza15wzyl59YIALGLRJ";

const pass = (roomId: string, resource: string, lastsMs = 60_000): KeptPass => ({
  roomId,
  name: "Premiere",
  pass: `pass of ${roomId}`,
  resources: [resource],
  unitsMax: null,
  endsAt: Date.now() + lastsMs,
  back: `/shows/${resource}`,
});
const linesOf = (resource_id: string) => ({ lines: [{ resource_id, unit: "A1" }] });

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, "", "/");
});

test("what buys behind a room shows the pass of that room", () => {
  keepPass(pass("wr_1", "res_1", 90_000));
  keepPass(pass("wr_2", "res_2"));
  expect(passHeaders("POST", linesOf("res_2"))).toEqual({ "Bespeak-Pass": "pass of wr_2" });
  expect(passHeaders("POST", linesOf("res_1"))).toEqual({ "Bespeak-Pass": "pass of wr_1" });
  // A call that names none of them, as a stay by its listing.
  expect(passHeaders("POST", { listing: "lst_1" })).toEqual({ "Bespeak-Pass": "pass of wr_1" });
  expect(passHeaders("GET", undefined)).toEqual({});
});

test("a pass that has ended is shown no more", () => {
  keepPass(pass("wr_1", "res_1", -1));
  expect(keptPasses()).toEqual([]);
  expect(passHeaders("POST", linesOf("res_1"))).toEqual({});
});

test("who needs a pass is led to its room, and a bad one is dropped", () => {
  keepPass(pass("wr_1", "res_1"));
  const gate = vi.fn();
  const end = onPassNeeded(gate);
  noteRefusal({ code: "pass_required", data: { waiting_room_id: "wr_9" } });
  expect(keptPasses()).toHaveLength(1);
  noteRefusal({ code: "pass_invalid", data: { waiting_room_id: "wr_1" } });
  expect(keptPasses()).toEqual([]);
  keepPass(pass("wr_2", "res_2"));
  noteRefusal({ code: "pass_invalid", data: {} });
  expect(keptPasses()).toEqual([]);
  noteRefusal({ code: "unit_taken", data: { waiting_room_id: "wr_1" } });
  end();
  noteRefusal({ code: "pass_required", data: { waiting_room_id: "wr_1" } });
  expect(gate.mock.calls).toEqual([["wr_9"], ["wr_1"], ["wr_2"]]);
});

test("what is stored is watched, survives nonsense, and is forgotten with the visitor", () => {
  const watcher = vi.fn();
  const end = watchPasses(watcher);
  keepPass(pass("wr_1", "res_1"));
  dropPass("wr_1");
  end();
  expect(watcher).toHaveBeenCalledTimes(2);
  localStorage.setItem("bespeak.passes", '{"wr_1": {"pass": 1}, "wr_2": null}');
  expect(keptPasses()).toEqual([]);
  keepToken("wr_1", { token: TOKEN, resources: [], seedHashes: [], calledAt: null, back: null });
  clearStored();
  expect(localStorage.length).toBe(0);
});

test("a token is kept by its room, with the way back and what is behind it", () => {
  const kept = {
    token: TOKEN,
    resources: ["res_1"],
    seedHashes: ["ab"],
    calledAt: 5,
    back: "/shows/1",
  };
  keepToken("wr_1", kept);
  expect(keptToken("wr_1")).toEqual(kept);
  expect(keptToken("wr_2")).toBeNull();
  expect(knownRoomOf("res_1")).toBe("wr_1");
  expect(knownRoomOf("res_2")).toBeNull();
});

test("the token of a link is taken once, and leaves the address", () => {
  history.replaceState(null, "", `/waiting/wr_1?queue=vip#token=${TOKEN}`);
  expect(takeTokenOfLink()).toBe(TOKEN);
  expect(location.href).not.toContain(TOKEN);
  expect(location.search).toBe("?queue=vip");
  expect(takeTokenOfLink()).toBeNull();
  history.replaceState(null, "", "/waiting/wr_1#token=nonsense");
  expect(takeTokenOfLink()).toBeNull();
  expect(location.hash).toBe("");
  expect(linkWith("wr_1", TOKEN)).toMatch(/\/waiting\/wr_1#token=/);
});

test.each(["https://elsewhere.example", "//elsewhere.example", "/\\elsewhere", "shows", "/a b"])(
  "the way back leads nowhere else: %s",
  (text) => expect(pathBack(text)).toBeNull(),
);
test("the way back is a path of the shop", () => {
  expect(pathBack("/shows/res_1?seats=A1,A2")).toBe("/shows/res_1?seats=A1,A2");
  expect(pathBack(null)).toBeNull();
});
