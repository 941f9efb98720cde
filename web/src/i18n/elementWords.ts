// Translations, plurals, numbers and money of the elements for other sites. Separate from the
// pages' own, because an element is loaded alone and brings its few texts with it.
import { decimalsOf, moneyOptions } from "./currencies";

type Catalogue = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string | number>>;

export type Catalogues = Readonly<{ en: Catalogue }> & Readonly<Record<string, Catalogue>>;

const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur"]);

export class ElementWords {
  readonly locale: string;
  readonly direction: "ltr" | "rtl";
  readonly #catalogue: Catalogue;
  readonly #plural: Intl.PluralRules;
  readonly #numbers: Intl.NumberFormat;
  #money: { currency: string; format: Intl.NumberFormat; digits: number } | null = null;

  /** The translations for a language tag, or English. */
  constructor(tag: string, catalogues: Catalogues) {
    const name = tag.toLowerCase().split("-")[0] ?? "en";
    const known = catalogues[name];
    this.#catalogue = known ?? catalogues.en;
    this.locale = known === undefined ? "en" : canonical(tag, name);
    this.direction = known !== undefined && RIGHT_TO_LEFT.has(name) ? "rtl" : "ltr";
    this.#plural = new Intl.PluralRules(this.locale);
    this.#numbers = new Intl.NumberFormat(this.locale);
  }

  /** A text; with a `count`, in its plural form. */
  text(key: string, values: Values = {}): string {
    const { count } = values;
    const form = typeof count === "number" ? `${key}_${this.#plural.select(count)}` : key;
    const words = this.#catalogue[form] ?? this.#catalogue[`${key}_other`] ?? key;
    return words.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      return typeof value === "number" ? this.#numbers.format(value) : (value ?? "");
    });
  }

  list(parts: readonly string[]): string {
    return parts.filter((part) => part !== "").join(this.direction === "rtl" ? "، " : ", ");
  }

  /** Formats minor units; empty without a price. */
  money(amount: number | null, currency: string): string {
    if (amount === null || currency === "") return "";
    if (amount === 0) return this.text("free_of_charge");
    if (this.#money?.currency !== currency) {
      let format: Intl.NumberFormat;
      try {
        format = new Intl.NumberFormat(this.locale, moneyOptions(currency));
      } catch {
        format = this.#numbers;
      }
      this.#money = {
        currency,
        format,
        digits: decimalsOf(currency),
      };
    }
    const { format, digits } = this.#money;
    return format.format(amount / 10 ** digits).replace(/[.,]00(?!\d)/, "");
  }
}

function canonical(tag: string, name: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? name;
  } catch {
    return name;
  }
}
