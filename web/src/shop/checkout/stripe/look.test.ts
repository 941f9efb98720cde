import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LOCALES } from "~/i18n/locale";
import { appearanceOf, stripeLocale } from "./look";

test("the form has the colours of the theme, each by a name that the design has", () => {
  const names = new Set<string>();
  const read = (name: string) => {
    names.add(name);
    return `value of ${name}`;
  };
  const light = appearanceOf("light", read);
  expect(light.theme).toBe("stripe");
  expect(appearanceOf("dark", read).theme).toBe("night");
  expect(light.variables).toMatchObject({
    colorPrimary: "value of --accent",
    colorBackground: "value of --surface",
    colorText: "value of --ink",
    colorDanger: "value of --bad",
  });
  const tokens = readFileSync("src/design/tokens.css", "utf8");
  for (const name of names) expect(tokens).toContain(`${name}:`);
});

test.each([
  ["en", ["en-GB", "de"], "en-GB"],
  ["en", ["en-US"], "en"],
  ["en", ["de-DE"], "en"],
  ["de", ["de-AT"], "de"],
  ["ar", ["ar-EG"], "ar"],
  ["xx", [], "auto"],
])("%s of %j is %s with Stripe", (language, tags, name) => {
  expect(stripeLocale(language, tags)).toBe(name);
});

test("Stripe has all languages of the pages", () => {
  for (const name of Object.keys(LOCALES)) expect(stripeLocale(name, [])).toBe(name);
});
