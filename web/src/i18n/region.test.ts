import { afterEach, expect, test, vi } from "vitest";
import i18next from "i18next";
import { dateTime, eventTime } from "./format";
import { regional } from "./region";

const AT = new Date("2026-11-22T10:00:00Z");
const LONG = {
  weekday: "long",
  day: "numeric",
  month: "long",
  hour: "numeric",
  minute: "2-digit",
} as const;

afterEach(() => vi.unstubAllGlobals());

test("the variant is that of the language of the page, not of another", () => {
  expect(regional("en", ["de-AT", "en-IN", "en-US"])).toBe("en-IN");
  expect(regional("de", ["de-AT", "en-IN"])).toBe("de-AT");
  expect(regional("ar", ["de-AT", "ar", "ar-EG"])).toBe("ar-EG");
});

test("a language without a region, or text that is no tag, changes nothing", () => {
  expect(regional("en", ["en", "de-DE"])).toBe("en");
  expect(regional("en", ["", "en_GB.UTF-8", "english"])).toBe("en");
  expect(regional("en", [])).toBe("en");
});

test.each([
  ["en-GB", "Sunday 22 November at 10:00"],
  ["en-US", "Sunday, November 22 at 10:00 AM"],
])("dates read as in %s", async (tag, words) => {
  await i18next.init({ lng: "en" });
  vi.stubGlobal("navigator", { languages: [tag] });
  expect(dateTime(AT, LONG, "UTC").replaceAll("\u202f", " ")).toBe(words);
});

test.each([
  ["Asia/Kolkata", /\(India Standard Time\)$/],
  [new Intl.DateTimeFormat().resolvedOptions().timeZone, /[^)]$/],
])("a time in %s says so where this device's clocks show another", async (zone, ending) => {
  await i18next.init({ lng: "en" });
  vi.stubGlobal("navigator", { languages: ["en-GB"] });
  expect(eventTime(AT.toISOString(), undefined, zone)).toMatch(ending);
});
