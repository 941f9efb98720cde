import { expect, test } from "vitest";
import { contactOf } from "./sale";

test("a contact has what is known, and nothing that is not", () => {
  const nothing = { email: " ", name: "", phone: "" };
  expect(contactOf(nothing, "de")).toBeNull();
  expect(contactOf({ ...nothing, name: " Asha " }, "de")).toEqual({ name: "Asha", locale: "de" });
  expect(contactOf({ ...nothing, phone: "٠٣٠ ١٢" }, "ar")).toEqual({
    phone: "030 12",
    locale: "ar",
  });
  const all = { email: "a@b", name: "Asha", phone: "110" };
  expect(contactOf(all, "en")).toEqual({ ...all, locale: "en" });
});
