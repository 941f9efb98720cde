// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from "vitest";
import { dropLinkOfPage, keepLinks, linkOfPage, takeLink, wasLinkDropped } from "./links";

beforeEach(() => sessionStorage.clear());
afterEach(() => history.replaceState(null, "", "/"));

test("a mail's token leaves the address, and a reload still has it", () => {
  history.replaceState(null, "", "/bookings/bkg_1#token=secret");
  takeLink();
  expect(globalThis.location.href).not.toContain("secret");
  takeLink();
  expect(linkOfPage()).toBe("secret");
});

test("it is for the page of its own booking", () => {
  keepLinks([["bkg_1", "one"]]);
  for (const path of ["/", "/bookings", "/bookings/bkg_2", "/checkout/hold_1"]) {
    history.replaceState(null, "", path);
    expect(linkOfPage()).toBeNull();
    expect(dropLinkOfPage()).toBe(false);
  }
});

test("one that opens nothing is forgotten, and the page may say so", () => {
  keepLinks([["bkg_1", "one"]]);
  history.replaceState(null, "", "/bookings/bkg_1");
  expect(wasLinkDropped("bkg_1")).toBe(false);
  expect(dropLinkOfPage()).toBe(true);
  expect(dropLinkOfPage()).toBe(false);
  expect(linkOfPage()).toBeNull();
  expect(wasLinkDropped("bkg_1")).toBe(true);
  keepLinks([["bkg_1", "new"]]);
  expect(linkOfPage()).toBe("new");
});

test("only so many are stored, and nonsense is none", () => {
  keepLinks(Array.from({ length: 300 }, (_, at) => [`bkg_${at}`, "token"] as const));
  history.replaceState(null, "", "/bookings/bkg_0");
  expect(linkOfPage()).toBeNull();
  history.replaceState(null, "", "/bookings/bkg_299");
  expect(linkOfPage()).toBe("token");
  for (const nonsense of ["{", "null", "[1]", '{"bkg_299": 7}']) {
    sessionStorage.setItem("bespeak.booking_links", nonsense);
    expect(linkOfPage()).toBeNull();
  }
});
