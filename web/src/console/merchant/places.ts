// The countries, currencies and time zones that the browser knows, in the words of the page.
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
// Groups of countries, and codes for tests.
const NO_COUNTRIES: ReadonlySet<string> = new Set(["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"]);

export type Country = { code: string; name: string };

/** All countries by their names. */
export function countries(language: string): Country[] {
  const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
  const codes = LETTERS.flatMap((one) => LETTERS.map((two) => one + two));
  return codes
    .filter((code) => !NO_COUNTRIES.has(code) && new Intl.Locale(`und-${code}`).region === code)
    .flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [{ code, name }];
    })
    .sort((one, two) => one.name.localeCompare(two.name, language));
}

/** What a country is called; its letters where nobody knows it. */
export function countryName(code: string, language: string): string {
  return new Intl.DisplayNames([language], { type: "region" }).of(code) ?? code;
}

export function currencies(): string[] {
  return Intl.supportedValuesOf("currency");
}

export function timeZones(): string[] {
  return Intl.supportedValuesOf("timeZone");
}
