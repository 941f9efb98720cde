import { expect, test } from "vitest";
import type { MailTextView } from "~/api/schema";
import { draftOf, hoursOf, inserted, introductionHint, KINDS, shownHours } from "./text";

const VIEW: MailTextView = {
  kind: "refunded",
  version: 0,
  language: "en",
  text: null,
  our_subject: "",
  placeholders: ["name"],
};

test("what nobody wrote is empty", () => {
  expect(draftOf(VIEW)).toEqual({ subject: "", introduction: "", closing: "" });
  const text = { subject: "Hi", introduction: "", closing: "Bye" };
  expect(draftOf({ ...VIEW, text })).toEqual(text);
});

test("each kind is listed once, and says what follows its introduction", () => {
  expect(new Set(KINDS).size).toBe(KINDS.length);
  expect(KINDS.map(introductionHint)).toEqual([
    "instead",
    "instead",
    "before",
    "before",
    "before",
    "before",
    "before",
    "waits",
    "waits",
    "waits",
    "waits",
  ]);
});

test("a placeholder stands where the cursor was, in place of what was chosen", () => {
  expect(inserted("Dear you,", "name", 5, 8)).toEqual(["Dear {name},", 11]);
  expect(inserted("", "name", 0, 0)).toEqual(["{name}", 6]);
});

test("reminders have three fields, and an empty one is none", () => {
  expect(shownHours([48])).toEqual(["48", "", ""]);
  expect(hoursOf(["48", " ", "2"])).toEqual([48, 2]);
});
