// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from "vitest";
import { bookingLinks } from "./links";

beforeEach(() => sessionStorage.clear());
afterEach(() => history.replaceState(null, "", "/"));

test("a mail's token leaves the address, and a reload still has it", () => {
  history.replaceState(null, "", "/bookings/bkg_1#token=secret");
  bookingLinks.take();
  expect(globalThis.location.href).not.toContain("secret");
  bookingLinks.take();
  expect(bookingLinks.ofPage()).toBe("secret");
});

test("it is for the page of its own booking", () => {
  bookingLinks.keep([["bkg_1", "one"]]);
  for (const path of [
    "/",
    "/bookings",
    "/bookings/bkg_2",
    "/checkout/hold_1",
    "/stays/res_1",
    "/stays/res_1/change/bkg_2",
  ]) {
    history.replaceState(null, "", path);
    expect(bookingLinks.ofPage()).toBeNull();
    expect(bookingLinks.dropOfPage()).toBe(false);
  }
});

test("it is for the page on which its booking is changed, and for the checkout that is told of it", () => {
  bookingLinks.keep([
    ["bkg_1", "one"],
    ["hold_1", "one"],
  ]);
  for (const path of ["/stays/res_1/change/bkg_1", "/checkout/hold_1"]) {
    history.replaceState(null, "", path);
    expect(bookingLinks.ofPage()).toBe("one");
  }
});

test("one that opens nothing is forgotten, and the page may say so", () => {
  bookingLinks.keep([["bkg_1", "one"]]);
  history.replaceState(null, "", "/bookings/bkg_1");
  expect(bookingLinks.wasDropped("bkg_1")).toBe(false);
  expect(bookingLinks.dropOfPage()).toBe(true);
  expect(bookingLinks.dropOfPage()).toBe(false);
  expect(bookingLinks.ofPage()).toBeNull();
  expect(bookingLinks.wasDropped("bkg_1")).toBe(true);
  bookingLinks.keep([["bkg_1", "new"]]);
  expect(bookingLinks.ofPage()).toBe("new");
});

test("only so many are stored, and nonsense is none", () => {
  bookingLinks.keep(Array.from({ length: 300 }, (_, at) => [`bkg_${at}`, "token"] as const));
  history.replaceState(null, "", "/bookings/bkg_0");
  expect(bookingLinks.ofPage()).toBeNull();
  history.replaceState(null, "", "/bookings/bkg_299");
  expect(bookingLinks.ofPage()).toBe("token");
  for (const nonsense of ["{", "null", "[1]", '{"bkg_299": 7}']) {
    sessionStorage.setItem("bespeak.booking_links", nonsense);
    expect(bookingLinks.ofPage()).toBeNull();
  }
});
