import { expect, test } from "vitest";
import { contactOf, faultsOf, typedOf } from "./typedContact";

const ASHA = { name: "Asha", email: "asha@example.org", locale: "de-AT" };
const NOBODY = { name: "", email: "", phone: "" };

test("the fields say what is known, and of nobody nothing", () => {
  expect(typedOf({ contact: ASHA })).toEqual({ name: "Asha", email: ASHA.email, phone: "" });
  expect(typedOf({ contact: null })).toEqual(NOBODY);
});

test("what is empty is left out, and the language stays", () => {
  const typed = { name: " Ben ", email: "", phone: "٠١٧٠ 1234567 " };
  expect(contactOf(typed, ASHA, "en")).toEqual({
    name: "Ben",
    phone: "0170 1234567",
    locale: "de-AT",
  });
  expect(contactOf(typed, null, "en")).toMatchObject({ locale: "en" });
});

test.each([
  [{}, "isNobody"],
  [{ name: "  " }, "isNobody"],
  [{ email: "asha" }, "isEmailWrong"],
  [{ name: "Asha", phone: "call me" }, "isPhoneWrong"],
  [{ phone: "+49 170 1234567" }, null],
])("%o: %s", (typed, fault) => {
  const found = Object.entries(faultsOf({ ...NOBODY, ...typed })).filter(([, is]) => is);
  expect(found.map(([name]) => name)).toEqual(fault === null ? [] : [fault]);
});
